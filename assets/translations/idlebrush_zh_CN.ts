<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AboutPage</name>
    <message>
        <source>Another version is running in the background</source>
        <translation>后台运行的是另一个版本</translation>
    </message>
    <message>
        <source>The app is version {app}, its background part version {daemon}. Restart that part so that both match.</source>
        <translation>应用版本为 {app}，后台部分版本为 {daemon}。请重新启动后台部分以保持一致。</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重新启动</translation>
    </message>
</context>
<context>
    <name>Activity</name>
    <message>
        <source>You have not joined a run yet</source>
        <translation>尚未加入任何项目</translation>
    </message>
    <message>
        <source>{number} samples/s</source>
        <translation>{number} 样本/秒</translation>
    </message>
    <message>
        <source>{number} samples/min</source>
        <translation>{number} 样本/分钟</translation>
    </message>
    <message>
        <source>{number} samples/h</source>
        <translation>{number} 样本/小时</translation>
    </message>
    <message>
        <source>Paused until {moment}</source>
        <translation>已暂停，{moment} 继续</translation>
    </message>
    <message>
        <source>Paused: {reason}</source>
        <translation>已暂停：{reason}</translation>
    </message>
    <message>
        <source>Slowed to {percent}: {reason}</source>
        <translation>已减速至 {percent}：{reason}</translation>
    </message>
    <message>
        <source>Waiting: the trainer is being restarted</source>
        <translation>等待中：训练程序正在重新启动</translation>
    </message>
    <message>
        <source>Waiting: asking the run&apos;s coordinator for admission</source>
        <translation>等待中：正在向项目的协调者请求准入</translation>
    </message>
    <message>
        <source>Waiting: the run goes on from an earlier checkpoint, which is being downloaded</source>
        <translation>等待中：项目将从较早的检查点继续，正在下载该检查点</translation>
    </message>
    <message>
        <source>Starting to train</source>
        <translation>开始训练</translation>
    </message>
    <message>
        <source>Finishing this epoch, then pausing</source>
        <translation>正在完成本轮，随后暂停</translation>
    </message>
    <message>
        <source>Something needs your attention</source>
        <translation>有事情需要你处理</translation>
    </message>
    <message>
        <source>Leaving the swarm</source>
        <translation>正在退出群组</translation>
    </message>
    <message>
        <source>This run is complete</source>
        <translation>此项目已完成</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练中</translation>
    </message>
    <message>
        <source>Slowed down</source>
        <translation>已减速</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Finishing</source>
        <translation>正在收尾</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>需要处理</translation>
    </message>
    <message>
        <source>Leaving</source>
        <translation>正在退出</translation>
    </message>
    <message>
        <source>Complete</source>
        <translation>已完成</translation>
    </message>
</context>
<context>
    <name>AlbumCard</name>
    <message>
        <source>Fill in the same words again</source>
        <translation>再次填入相同的文字</translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln more picture(s)</source>
        <translation>
            <numerusform>再显示 %Ln 张图片</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Albums</name>
    <message>
        <source>best {kept} of {drawn}</source>
        <extracomment>Of the pictures that were drawn, so many were kept.</extracomment>
        <translation>{drawn} 张中最好的 {kept} 张</translation>
    </message>
    <message numerus="yes">
        <source>%Ln picture(s)</source>
        <translation>
            <numerusform>%Ln 张图片</numerusform>
        </translation>
    </message>
    <message>
        <source>epoch {epoch}</source>
        <translation>第 {epoch} 轮</translation>
    </message>
    <message>
        <source>All were kept, as they could not be ranked. {reason}</source>
        <extracomment>{reason} is a whole English sentence.</extracomment>
        <translation>因无法评分，已全部保留。{reason}</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>评分</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Likeliest codes</source>
        <translation>最可能的编码</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <extracomment>Such as &quot;3 of 16&quot;.</extracomment>
        <translation>第 {number} 张，共 {total} 张</translation>
    </message>
    <message>
        <source>{prompt}, picture {number} of {total}</source>
        <translation>{prompt}，第 {number} 张图片，共 {total} 张</translation>
    </message>
</context>
<context>
    <name>Amounts</name>
    <message>
        <source>{number}%</source>
        <extracomment>A percentage; {number} is written already. German, French, Spanish and Russian put a (hard) space before %.</extracomment>
        <translation>{number}%</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>TB</source>
        <translation>TB</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>TiB</source>
        <translation>TiB</translation>
    </message>
    <message>
        <source>kB/s</source>
        <translation>kB/s</translation>
    </message>
    <message>
        <source>MB/s</source>
        <translation>MB/s</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>kbit/s</source>
        <translation>kbit/s</translation>
    </message>
    <message>
        <source>Mbit/s</source>
        <translation>Mbit/s</translation>
    </message>
    <message>
        <source>Gbit/s</source>
        <translation>Gbit/s</translation>
    </message>
    <message>
        <source>{minutes} min</source>
        <translation>{minutes}&#xa0;分钟</translation>
    </message>
    <message>
        <source>{size}/s</source>
        <extracomment>A speed; {size} is such as &quot;1.2 MB&quot;.</extracomment>
        <translation>{size}/s</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds}&#xa0;秒</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <extracomment>How a date is written: d, day; MMM, short name of the month; yyyy, year; other letters in &apos;quotes&apos;.</extracomment>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>d MMM</source>
        <extracomment>How a date without its year is written: d, day; MMM, short name of the month; other letters in &apos;quotes&apos;.</extracomment>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>{weekday}, {time}</source>
        <extracomment>A moment of the days around today, such as &quot;Tuesday, 14:30&quot;.</extracomment>
        <translation>{weekday} {time}</translation>
    </message>
    <message>
        <source>{date}, {time}</source>
        <extracomment>A moment, such as &quot;1 Mar 2026, 14:30&quot;.</extracomment>
        <translation>{date} {time}</translation>
    </message>
    <message>
        <source>{number} Wh</source>
        <translation>{number}&#xa0;Wh</translation>
    </message>
    <message>
        <source>{number} kWh</source>
        <translation>{number}&#xa0;kWh</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes}&#xa0;分 {seconds}&#xa0;秒</translation>
    </message>
    <message>
        <source>{hours} h</source>
        <translation>{hours}&#xa0;小时</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours}&#xa0;小时 {minutes}&#xa0;分钟</translation>
    </message>
    <message>
        <source>{days} d</source>
        <translation>{days}&#xa0;天</translation>
    </message>
    <message>
        <source>{days} d {hours} h</source>
        <translation>{days}&#xa0;天 {hours}&#xa0;小时</translation>
    </message>
</context>
<context>
    <name>AppCard</name>
    <message>
        <source>This app</source>
        <translation>本应用</translation>
    </message>
    <message>
        <source>Same as the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>A new language takes effect the next time Idlebrush starts.</source>
        <translation>新的语言将在 Idlebrush 下次启动时生效。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Light, dark, or the same as the system.</source>
        <translation>浅色、深色或跟随系统。</translation>
    </message>
    <message>
        <source>When you are signed out, something needs your attention, you reach your best rank, or a run is complete.</source>
        <translation>当你被退出登录、有事情需要处理、排名创下新高或项目完成时。</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Stay in the tray</source>
        <translation>留在托盘</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>What happens to the app, if the desktop has a tray.</source>
        <translation>桌面有托盘时应用会怎样。</translation>
    </message>
    <message>
        <source>When the window is closed</source>
        <translation>关闭窗口时</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>询问</translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation>继续训练</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>What happens to training in the background.</source>
        <translation>后台的训练会怎样。</translation>
    </message>
    <message>
        <source>When the app is quit</source>
        <translation>退出应用时</translation>
    </message>
</context>
<context>
    <name>Badge</name>
    <message>
        <source>Reached on {day}</source>
        <translation>达成于 {day}</translation>
    </message>
</context>
<context>
    <name>Badges</name>
    <message numerus="yes">
        <source>Trained on %Ln sample(s)</source>
        <translation>
            <numerusform>已训练 %Ln 个样本</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Gave %Ln hour(s) of computing</source>
        <translation>
            <numerusform>已贡献 %Ln 小时的计算</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Contributed on %Ln day(s) in a row</source>
        <translation>
            <numerusform>连续贡献 %Ln 天</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Took part in %Ln epoch(s) of the swarm</source>
        <translation>
            <numerusform>参与了群组的 %Ln 轮</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Trained through %Ln night(s)</source>
        <translation>
            <numerusform>彻夜训练 %Ln 晚</numerusform>
        </translation>
    </message>
    <message>
        <source>One hundred</source>
        <translation>一百</translation>
    </message>
    <message>
        <source>One thousand</source>
        <translation>一千</translation>
    </message>
    <message>
        <source>Ten thousand</source>
        <translation>一万</translation>
    </message>
    <message>
        <source>A hundred thousand</source>
        <translation>十万</translation>
    </message>
    <message>
        <source>One million</source>
        <translation>一百万</translation>
    </message>
    <message>
        <source>Ten hours</source>
        <translation>十小时</translation>
    </message>
    <message>
        <source>Around the clock</source>
        <translation>昼夜不停</translation>
    </message>
    <message>
        <source>A hundred hours</source>
        <translation>一百小时</translation>
    </message>
    <message>
        <source>A thousand hours</source>
        <translation>一千小时</translation>
    </message>
    <message>
        <source>Three days in a row</source>
        <translation>连续三天</translation>
    </message>
    <message>
        <source>A week in a row</source>
        <translation>连续一周</translation>
    </message>
    <message>
        <source>A month in a row</source>
        <translation>连续一个月</translation>
    </message>
    <message>
        <source>A hundred days in a row</source>
        <translation>连续一百天</translation>
    </message>
    <message>
        <source>First epoch</source>
        <translation>第一轮</translation>
    </message>
    <message>
        <source>A hundred epochs</source>
        <translation>一百轮</translation>
    </message>
    <message>
        <source>A thousand epochs</source>
        <translation>一千轮</translation>
    </message>
    <message>
        <source>Night painter</source>
        <translation>夜间画家</translation>
    </message>
    <message>
        <source>A month of nights</source>
        <translation>一个月的夜晚</translation>
    </message>
</context>
<context>
    <name>BadgesCard</name>
    <message>
        <source>Badges</source>
        <translation>徽章</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>BarChart</name>
    <message numerus="yes">
        <source>%Ln value(s) from {start} to {end}; the highest is {high} at {best}. Arrow keys read single values.</source>
        <translation>
            <numerusform>从 {start} 到 {end} 共 %Ln 个数值；最高为 {high}，位于 {best}。用方向键逐个读取。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BoardModel</name>
    <message>
        <source>Rank</source>
        <translation>排名</translation>
    </message>
    <message>
        <source>Volunteer</source>
        <translation>志愿者</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>计算</translation>
    </message>
</context>
<context>
    <name>BoardTable</name>
    <message>
        <source>Leaderboard</source>
        <translation>排行榜</translation>
    </message>
</context>
<context>
    <name>ChartCard</name>
    <message>
        <source>Over time</source>
        <translation>随时间变化</translation>
    </message>
    <message>
        <source>What is counted</source>
        <translation>统计内容</translation>
    </message>
</context>
<context>
    <name>CodePanel</name>
    <message>
        <source>There, enter this code:</source>
        <translation>在那里输入此代码：</translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation>在浏览器中打开</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Code {code}</source>
        <extracomment>{code} is to be read out letter by letter.</extracomment>
        <translation>代码 {code}</translation>
    </message>
    <message>
        <source>Open {address}, here or on your phone.</source>
        <translation>在这里或手机上打开 {address}。</translation>
    </message>
    <message>
        <source>Go on in your browser, which shows {address}.</source>
        <translation>请在显示 {address} 的浏览器中继续。</translation>
    </message>
    <message>
        <source>Copy the code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>ConsentScreen</name>
    <message>
        <source>I agree that this computer trains this run as described above.</source>
        <translation>我同意这台电脑按上述方式参与此项目。</translation>
    </message>
    <message>
        <source>Agree</source>
        <translation>同意</translation>
    </message>
    <message>
        <source>Open Idlebrush</source>
        <translation>打开 Idlebrush</translation>
    </message>
    <message>
        <source>Start training</source>
        <translation>开始训练</translation>
    </message>
    <message>
        <source>Check the box if you agree.</source>
        <translation>如果同意，请勾选此框。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Downloading the run&apos;s files</source>
        <translation>正在下载项目文件</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Do you agree?</source>
        <translation>你同意吗？</translation>
    </message>
    <message>
        <source>This is what will happen once you do.</source>
        <translation>同意之后会发生以下事情。</translation>
    </message>
    <message>
        <source>I have compared the key {key} with the one that the organiser published.</source>
        <extracomment>{key} is a row of letters and digits.</extracomment>
        <translation>我已将密钥 {key} 与组织者公布的密钥核对。</translation>
    </message>
    <message>
        <source>It trains when you are away</source>
        <translation>在你离开时训练</translation>
    </message>
    <message>
        <source>You are part of the run now</source>
        <translation>你已加入项目</translation>
    </message>
    <message>
        <source>That is all. Idlebrush stays near the clock; open it to see the pictures get better.</source>
        <translation>完成了。Idlebrush 会留在时钟旁边；打开它就能看到图片越来越好。</translation>
    </message>
</context>
<context>
    <name>ContributionPage</name>
    <message>
        <source>By day</source>
        <translation>按天</translation>
    </message>
    <message>
        <source>By week</source>
        <translation>按周</translation>
    </message>
    <message>
        <source>All time</source>
        <translation>全部时间</translation>
    </message>
    <message>
        <source>Which time</source>
        <translation>时间范围</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>此项目</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>所有项目</translation>
    </message>
    <message>
        <source>Which runs</source>
        <translation>哪些项目</translation>
    </message>
    <message>
        <source>It begins with the first epoch that this computer takes part in.</source>
        <translation>从这台电脑参与的第一轮开始。</translation>
    </message>
    <message>
        <source>No contribution yet</source>
        <translation>尚未贡献</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>ContributionView</name>
    <message numerus="yes">
        <source>%Ln day(s)</source>
        <translation>
            <numerusform>%Ln 天</numerusform>
        </translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>小时</translation>
    </message>
    <message>
        <source>Watt-hours</source>
        <translation>瓦时</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>无</translation>
    </message>
    <message numerus="yes">
        <source>%Ln sample(s)</source>
        <translation>
            <numerusform>%Ln 个样本</numerusform>
        </translation>
    </message>
    <message>
        <source>Week of {day}</source>
        <translation>{day}起的一周</translation>
    </message>
    <message>
        <source>MMM yyyy</source>
        <extracomment>A month with its year, such as &quot;Mar 2026&quot;: MMM, short name of the month; yyyy, year.</extracomment>
        <translation>yyyy年M月</translation>
    </message>
    <message>
        <source>In the last 30 days</source>
        <translation>最近 30 天</translation>
    </message>
    <message>
        <source>In the last 26 weeks</source>
        <translation>最近 26 周</translation>
    </message>
    <message>
        <source>Since you began</source>
        <translation>自你开始以来</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>能耗</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>已发送</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>已接收</translation>
    </message>
    <message>
        <source>Contribute on two days in a row to start a streak.</source>
        <translation>连续两天贡献即可开始一段连续记录。</translation>
    </message>
    <message numerus="yes">
        <source>Your longest streak: %Ln day(s)</source>
        <translation>
            <numerusform>你的最长连续记录：%Ln 天</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EmbeddedWay</name>
    <message>
        <source>It learns to draw emoji from their names, in minutes rather than months. Nobody else takes part, and nothing leaves this computer. With so few pictures, the model learns them by heart: it shows how training works, but is of no use beyond that.</source>
        <translation>模型学习根据名称画表情符号，只需几分钟而不是几个月。没有其他人参与，任何内容都不会离开这台电脑。由于图片很少，模型会把它们背下来：它用来演示训练如何进行，并不适合实际使用。</translation>
    </message>
</context>
<context>
    <name>EpochCard</name>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>The swarm&apos;s progress shows up once training has begun.</source>
        <translation>训练开始后会显示群组的进度。</translation>
    </message>
</context>
<context>
    <name>EpochRing</name>
    <message>
        <source>Progress of the epoch</source>
        <translation>本轮进度</translation>
    </message>
</context>
<context>
    <name>FileWay</name>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Or drop it anywhere on this screen.</source>
        <translation>或将其拖放到此屏幕的任意位置。</translation>
    </message>
    <message>
        <source>Choose a run&apos;s description</source>
        <translation>选择项目的描述文件</translation>
    </message>
    <message>
        <source>Descriptions of runs (*.toml)</source>
        <translation>项目的描述文件 (*.toml)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message>
        <source>Paste a token first.</source>
        <translation>请先粘贴令牌。</translation>
    </message>
    <message>
        <source>That is far too long for a token. Copy only the token.</source>
        <translation>这对令牌来说太长了。请只复制令牌。</translation>
    </message>
    <message>
        <source>That contains characters that no token has. Copy only the token.</source>
        <translation>其中有令牌不会包含的字符。请只复制令牌。</translation>
    </message>
    <message>
        <source>Your sign-in is kept in this computer&apos;s keyring.</source>
        <translation>你的登录信息保存在这台电脑的密钥环中。</translation>
    </message>
    <message>
        <source>Your sign-in is kept until Idlebrush ends.</source>
        <translation>你的登录信息保留到 Idlebrush 退出为止。</translation>
    </message>
    <message>
        <source>Your sign-in is kept in a file that only you can read.</source>
        <translation>你的登录信息保存在只有你能读取的文件中。</translation>
    </message>
    <message>
        <source>This has expired.</source>
        <translation>已过期。</translation>
    </message>
    <message>
        <source>Good for another {time}.</source>
        <extracomment>{time} is such as &quot;9 min 30 s&quot;.</extracomment>
        <translation>还有 {time} 有效。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>It takes the place of {title}, which this computer trains now.</source>
        <translation>它将取代这台电脑目前参与的 {title}。</translation>
    </message>
    <message>
        <source>Instead of</source>
        <translation>取代</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>这台电脑</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>流量</translation>
    </message>
    <message>
        <source>Others see</source>
        <translation>他人可见</translation>
    </message>
    <message>
        <source>Pause it or leave the run whenever you like, from the icon near the clock.</source>
        <translation>你可以随时通过时钟旁的图标暂停或退出项目。</translation>
    </message>
    <message>
        <source>To stop</source>
        <translation>如何停止</translation>
    </message>
    <message>
        <source>Preparing to download the run&apos;s files…</source>
        <translation>正在准备下载项目文件…</translation>
    </message>
    <message>
        <source>Downloading the run&apos;s files: {share}, {size} to go.</source>
        <extracomment>{share} is such as &quot;42%&quot;, {size} such as &quot;1.2 GB&quot;.</extracomment>
        <translation>正在下载项目文件：{share}，还剩 {size}。</translation>
    </message>
    <message>
        <source>Leave this for now?</source>
        <translation>暂时离开？</translation>
    </message>
    <message>
        <source>Nothing is trained until you join a run. You can do that later, from the window.</source>
        <translation>加入项目之前不会训练任何内容。你可以稍后在窗口中加入。</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>离开</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>留下</translation>
    </message>
    <message>
        <source>Organiser</source>
        <translation>组织者</translation>
    </message>
    <message>
        <source>It comes with Idlebrush, and trains on this computer alone.</source>
        <translation>它随 Idlebrush 提供，只在这台电脑上训练。</translation>
    </message>
    <message>
        <source>It has no website; its key is {key}.</source>
        <translation>它没有网站；其密钥为 {key}。</translation>
    </message>
    <message>
        <source>{where}, with the key {key}</source>
        <extracomment>{where} is a website, {key} a row of letters and digits.</extracomment>
        <translation>{where}，密钥为 {key}</translation>
    </message>
    <message>
        <source>Nothing: all of its files are here.</source>
        <translation>无：它的所有文件都已在这里。</translation>
    </message>
    <message>
        <source>{size}, once, before it begins.</source>
        <translation>{size}，开始前一次。</translation>
    </message>
    <message>
        <source>None: there is nobody to exchange anything with.</source>
        <translation>无：没有可以交换数据的对象。</translation>
    </message>
    <message>
        <source>At most about {size} each way in a day without a pause, among 16 computers like this one. You can set limits in the preferences.</source>
        <translation>在 16 台同类电脑中，不间断训练一天每个方向最多约 {size}。你可以在首选项中设置上限。</translation>
    </message>
    <message>
        <source>At most about {size} each way for every step that all take together.</source>
        <translation>大家共同完成的每一步，每个方向最多约 {size}。</translation>
    </message>
    <message>
        <source>Nothing. None of your files is read or sent.</source>
        <translation>无。不会读取或发送你的任何文件。</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address, how fast it trains, and your user name, which you can hide on the run&apos;s pages. None of your files is read or sent.</source>
        <translation>这台电脑的互联网地址、训练速度，以及你的用户名（你可以在项目的页面上隐藏它）。不会读取或发送你的任何文件。</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address and how fast it trains, under a random name. None of your files is read or sent.</source>
        <translation>这台电脑的互联网地址和训练速度，使用随机名称。不会读取或发送你的任何文件。</translation>
    </message>
    <message>
        <source>Loading the run to try it out. On a busy computer that takes a while…</source>
        <translation>正在加载项目以便试运行。电脑繁忙时需要一些时间…</translation>
    </message>
    <message>
        <source>This computer is trying the run out…</source>
        <translation>这台电脑正在试运行项目…</translation>
    </message>
    <message>
        <source>See how fast this computer is: it tries the run out for a minute.</source>
        <translation>看看这台电脑有多快：它会试运行项目一分钟。</translation>
    </message>
    <message>
        <source>About {rate} samples an hour. Each step takes {target} from all together.</source>
        <extracomment>{rate} is a number; the model learns from samples: pictures with their descriptions.</extracomment>
        <translation>每小时约 {rate} 个样本。每一步需要大家共同完成 {target} 个。</translation>
    </message>
    <message>
        <source>This run admits members of {organisation} on the Hugging Face Hub.</source>
        <translation>此项目接纳 Hugging Face Hub 上 {organisation} 的成员。</translation>
    </message>
    <message>
        <source>This run admits people on its organiser&apos;s list.</source>
        <translation>此项目接纳组织者列入名单的人。</translation>
    </message>
    <message>
        <source>This run admits people whom its organiser has invited.</source>
        <translation>此项目接纳组织者邀请的人。</translation>
    </message>
    <message>
        <source>This run admits anyone who signs in with the Hugging Face Hub.</source>
        <translation>此项目接纳任何通过 Hugging Face Hub 登录的人。</translation>
    </message>
    <message>
        <source>You sign in at {hub}. That proves to {coordinator}, and to nobody else, who you are: the organiser learns your user name, and gets no access to your account.</source>
        <translation>你在 {hub} 登录。这只向 {coordinator} 证明你的身份：组织者会得知你的用户名，但无法访问你的账户。</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background.</source>
        <translation>Idlebrush 未在后台运行。</translation>
    </message>
    <message>
        <source>The sign-in is still under way.</source>
        <translation>登录仍在进行中。</translation>
    </message>
    <message>
        <source>Choose a run first.</source>
        <translation>请先选择一个项目。</translation>
    </message>
    <message>
        <source>One moment: looking at the run.</source>
        <translation>请稍候：正在查看该项目。</translation>
    </message>
    <message>
        <source>Choose a run that can be joined.</source>
        <translation>请选择一个可以加入的项目。</translation>
    </message>
    <message>
        <source>This run is too large for this computer.</source>
        <translation>此项目对这台电脑来说太大。</translation>
    </message>
    <message>
        <source>Sign in to this run first.</source>
        <translation>请先登录此项目。</translation>
    </message>
    <message>
        <source>While I am away</source>
        <translation>我离开时</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>始终</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>At any hour</source>
        <translation>任何时段</translation>
    </message>
    <message>
        <source>Evenings, nights and weekends</source>
        <translation>傍晚、夜间和周末</translation>
    </message>
    <message>
        <source>At night</source>
        <translation>夜间</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>全速</translation>
    </message>
    <message>
        <source>Three quarters of the time</source>
        <translation>四分之三的时间</translation>
    </message>
    <message>
        <source>Half of the time, cooler and quieter</source>
        <translation>一半的时间，更凉爽更安静</translation>
    </message>
    <message>
        <source>A quarter of the time, hardly noticed</source>
        <translation>四分之一的时间，几乎察觉不到</translation>
    </message>
    <message>
        <source>As set: {value}</source>
        <extracomment>{value} is what was set elsewhere, such as &quot;mon-fri 18:00-08:00&quot;.</extracomment>
        <translation>按设置：{value}</translation>
    </message>
    <message>
        <source>Whenever your preferences allow it.</source>
        <translation>只要你的首选项允许。</translation>
    </message>
    <message>
        <source>It always trains, even while you use the computer.</source>
        <translation>始终训练，你使用电脑时也不例外。</translation>
    </message>
    <message>
        <source>It does not train until you allow it.</source>
        <translation>在你允许之前不会训练。</translation>
    </message>
    <message>
        <source>It trains once nobody has used the computer for {idle}. {hours}.</source>
        <extracomment>{idle} is such as &quot;3 min&quot;; {hours} is such as &quot;At any hour&quot;, &quot;At night&quot;.</extracomment>
        <translation>电脑闲置 {idle}后开始训练。{hours}。</translation>
    </message>
    <message>
        <source>It rests only when the computer gets hot or runs low on battery or memory.</source>
        <translation>仅在电脑过热、电量不足或内存不足时暂停。</translation>
    </message>
    <message>
        <source>It trains on battery as well.</source>
        <translation>使用电池时也训练。</translation>
    </message>
    <message>
        <source>It rests on battery, during games and videos, and when it gets hot.</source>
        <translation>使用电池、游戏和视频期间以及过热时暂停。</translation>
    </message>
    <message>
        <source>It computes for at most {share} of the time.</source>
        <extracomment>{share} is such as &quot;50%&quot;.</extracomment>
        <translation>最多计算 {share} 的时间。</translation>
    </message>
    <message>
        <source>It starts when you log in.</source>
        <translation>你登录系统时启动。</translation>
    </message>
    <message>
        <source>It starts when you open Idlebrush.</source>
        <translation>你打开 Idlebrush 时启动。</translation>
    </message>
    <message>
        <source>Welcome to Idlebrush</source>
        <translation>欢迎使用 Idlebrush</translation>
    </message>
    <message>
        <source>Join a run</source>
        <translation>加入项目</translation>
    </message>
</context>
<context>
    <name>Foot</name>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
</context>
<context>
    <name>GalleryPage</name>
    <message>
        <source>The run</source>
        <translation>此项目</translation>
    </message>
    <message>
        <source>My pictures</source>
        <translation>我的图片</translation>
    </message>
    <message>
        <source>Which pictures</source>
        <translation>哪些图片</translation>
    </message>
</context>
<context>
    <name>GatePanel</name>
    <message>
        <source>Only members train this run</source>
        <translation>只有成员可以参与此项目</translation>
    </message>
    <message>
        <source>Code of your invitation</source>
        <translation>你的邀请码</translation>
    </message>
    <message>
        <source>Sign in with the browser</source>
        <translation>用浏览器登录</translation>
    </message>
    <message>
        <source>Get a code instead</source>
        <translation>改为获取代码</translation>
    </message>
    <message>
        <source>You are admitted to this run.</source>
        <translation>你已获准加入此项目。</translation>
    </message>
    <message>
        <source>Only until Idlebrush ends</source>
        <translation>仅到 Idlebrush 退出为止</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot keep your membership</source>
        <translation>这台电脑的密钥环无法保存你的成员资格</translation>
    </message>
    <message>
        <source>Unlock it and try again, or sign in until Idlebrush ends.</source>
        <translation>请将其解锁后重试，或仅登录到 Idlebrush 退出为止。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Website of the run</source>
        <translation>项目的网站</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>版本 {version}</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>In the background</source>
        <translation>后台</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy details for a bug report</source>
        <translation>复制用于错误报告的详情</translation>
    </message>
    <message>
        <source>Idle computers together train a model that draws what it is told to.</source>
        <translation>空闲的电脑一起训练一个能按描述画画的模型。</translation>
    </message>
</context>
<context>
    <name>Hero</name>
    <message>
        <source>Website</source>
        <translation>网站</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>暂停一会儿</translation>
    </message>
    <message>
        <source>Finish this epoch</source>
        <translation>完成本轮</translation>
    </message>
    <message>
        <source>Train anyway</source>
        <translation>仍然训练</translation>
    </message>
    <message>
        <source>Back to my preferences</source>
        <translation>恢复按首选项</translation>
    </message>
</context>
<context>
    <name>HoursEditor</name>
    <message>
        <source>Drag to paint, or move with the arrow keys and press Space. Or type the hours into the field.</source>
        <translation>拖动即可涂画，或用方向键移动并按空格键。也可以在输入框中输入时段。</translation>
    </message>
    <message>
        <source>{preference}, as text</source>
        <translation>{preference}，文字形式</translation>
    </message>
</context>
<context>
    <name>HoursGrid</name>
    <message>
        <source>{day}, {time}: training is allowed</source>
        <translation>{day} {time}：允许训练</translation>
    </message>
    <message>
        <source>{day}, {time}: training pauses</source>
        <translation>{day} {time}：训练暂停</translation>
    </message>
</context>
<context>
    <name>KeepingCard</name>
    <message>
        <source>For your records</source>
        <translation>留存备查</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Get signed receipts</source>
        <translation>获取签名收据</translation>
    </message>
    <message>
        <source>Open my page on the website</source>
        <translation>在网站上打开我的页面</translation>
    </message>
    <message>
        <source>A file with a row for each day. The run&apos;s coordinator also signs receipts for what you gave.</source>
        <translation>每天一行的文件。项目的协调者还会为你的贡献签发收据。</translation>
    </message>
    <message>
        <source>A file with a row for each day, for a spreadsheet or a program.</source>
        <translation>每天一行的文件，可用于电子表格或程序。</translation>
    </message>
    <message>
        <source>For a spreadsheet (CSV)</source>
        <translation>用于电子表格 (CSV)</translation>
    </message>
    <message>
        <source>For programs (JSON)</source>
        <translation>用于程序 (JSON)</translation>
    </message>
    <message>
        <source>Export my contribution</source>
        <translation>导出我的贡献</translation>
    </message>
    <message>
        <source>{format} files (*.{ending})</source>
        <translation>{format} 文件 (*.{ending})</translation>
    </message>
    <message>
        <source>Your contribution was saved as {file}</source>
        <translation>你的贡献已保存为 {file}</translation>
    </message>
    <message>
        <source>The file could not be written</source>
        <translation>无法写入文件</translation>
    </message>
    <message>
        <source>Choose another folder, or free some space. The system says: {why}</source>
        <translation>请选择其他文件夹，或腾出一些空间。系统提示：{why}</translation>
    </message>
    <message>
        <source>Downloading and checking the receipts</source>
        <translation>正在下载并核验收据</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Your signed receipts are on this computer</source>
        <translation>你的签名收据已在这台电脑上</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
</context>
<context>
    <name>LargePicture</name>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Draw again…</source>
        <translation>再画一次…</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>The picture is saved</source>
        <translation>图片已保存</translation>
    </message>
    <message>
        <source>{reason}. Choose another folder.</source>
        <translation>{reason}。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>The picture could not be saved</source>
        <translation>无法保存图片</translation>
    </message>
    <message>
        <source>The picture is on the clipboard</source>
        <translation>图片已在剪贴板中</translation>
    </message>
</context>
<context>
    <name>LeaderboardPage</name>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Ranked by</source>
        <translation>排名依据</translation>
    </message>
    <message>
        <source>All time</source>
        <translation>全部时间</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>Which time</source>
        <translation>时间范围</translation>
    </message>
    <message>
        <source>Show my row</source>
        <translation>显示我所在的行</translation>
    </message>
    <message>
        <source>Hide my name from others</source>
        <translation>对他人隐藏我的名字</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>选择项目</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>LeaderboardView</name>
    <message>
        <source>Hidden volunteer</source>
        <translation>匿名志愿者</translation>
    </message>
    <message>
        <source>{name} (you, hidden from others)</source>
        <translation>{name}（你，对他人隐藏）</translation>
    </message>
    <message>
        <source>{name} (you)</source>
        <translation>{name}（你）</translation>
    </message>
    <message>
        <source>Volunteers so far: {total}. You are not among them yet.</source>
        <translation>目前的志愿者：{total}。你还不在其中。</translation>
    </message>
    <message>
        <source>You are number {rank} of {total}.</source>
        <translation>你排在第 {rank} 位，共 {total} 位。</translation>
    </message>
    <message>
        <source>Volunteers so far: {total}. Nobody signs in to this run, so it is not known which row is yours.</source>
        <translation>目前的志愿者：{total}。此项目无需登录，因此不知道哪一行是你的。</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>The leaderboard shows up once Idlebrush runs in the background.</source>
        <translation>Idlebrush 在后台运行后会显示排行榜。</translation>
    </message>
    <message>
        <source>You have not joined a run yet</source>
        <translation>尚未加入任何项目</translation>
    </message>
    <message>
        <source>Join a run, and see here how your contribution compares.</source>
        <translation>加入项目，即可在这里看到你的贡献与他人的比较。</translation>
    </message>
    <message>
        <source>This run has no leaderboard</source>
        <translation>此项目没有排行榜</translation>
    </message>
    <message>
        <source>Its organiser does not count contributions. Yours is counted on this computer: see My contribution.</source>
        <translation>它的组织者不统计贡献。你的贡献由这台电脑统计：请看“我的贡献”。</translation>
    </message>
    <message>
        <source>Nobody here yet</source>
        <translation>这里还没有人</translation>
    </message>
    <message>
        <source>It begins with the first epoch that somebody takes part in.</source>
        <translation>从有人参与的第一轮开始。</translation>
    </message>
    <message>
        <source>Best rank: {rank}, on {day}</source>
        <translation>最佳排名：{rank}，{day}</translation>
    </message>
</context>
<context>
    <name>LicenceCard</name>
    <message>
        <source>Licences</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Which licence</source>
        <translation>哪个许可证</translation>
    </message>
    <message>
        <source>Its text</source>
        <translation>许可证正文</translation>
    </message>
    <message>
        <source>This text cannot be read: {reason}.</source>
        <translation>无法读取此文本：{reason}。</translation>
    </message>
</context>
<context>
    <name>Licences</name>
    <message>
        <source>Idlebrush (Apache 2.0)</source>
        <translation>Idlebrush (Apache 2.0)</translation>
    </message>
    <message>
        <source>The embedded run: where it comes from</source>
        <translation>内置项目：它的来源</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>程序库</translation>
    </message>
    <message>
        <source>The windows are made with Qt, by the Qt Company and contributors, and with Qt for Python (PySide6). Idlebrush uses both under the GNU Lesser General Public License, version 3. They are separate files beside Idlebrush: you may replace them by versions of your own, and take them apart to find faults in your changes.

The licence: https://www.gnu.org/licenses/lgpl-3.0.html
The sources: https://download.qt.io/official_releases/QtForPython/</source>
        <translation>窗口由 Qt（Qt Company 及贡献者开发）和 Qt for Python (PySide6) 制作。Idlebrush 依据 GNU 宽通用公共许可证第 3 版使用二者。它们是 Idlebrush 旁的独立文件：你可以用自己的版本替换它们，也可以拆解它们以查找你所做更改中的错误。

许可证：https://www.gnu.org/licenses/lgpl-3.0.html
源代码：https://download.qt.io/official_releases/QtForPython/</translation>
    </message>
    <message>
        <source>see its package</source>
        <translation>见其软件包</translation>
    </message>
</context>
<context>
    <name>LineChart</name>
    <message>
        <source>From {first} at {start} to {last} at {end}; the lowest is {low}, the highest {high}. Arrow keys read single values.</source>
        <translation>从 {start} 的 {first} 到 {end} 的 {last}；最低为 {low}，最高为 {high}。用方向键逐个读取。</translation>
    </message>
</context>
<context>
    <name>Lines</name>
    <message>
        <source>{button}: {what}</source>
        <extracomment>Of a button such as &quot;Change this&quot;: {what} is what it helps against.</extracomment>
        <translation>{button}：{what}</translation>
    </message>
</context>
<context>
    <name>LinkWay</name>
    <message>
        <source>Link to the run</source>
        <translation>项目的链接</translation>
    </message>
    <message>
        <source>Look at it</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>That is not a link to a run: such a link begins with idlebrush: or https://</source>
        <translation>这不是项目的链接：链接以 idlebrush: 或 https:// 开头</translation>
    </message>
</context>
<context>
    <name>Log</name>
    <message>
        <source>Detail</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
</context>
<context>
    <name>LogPage</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>This log cannot be read</source>
        <translation>无法读取此日志</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>No line at this level contains these words.</source>
        <translation>此级别中没有包含这些文字的行。</translation>
    </message>
    <message>
        <source>Nothing here yet</source>
        <translation>这里还没有内容</translation>
    </message>
    <message>
        <source>What happens is recorded here.</source>
        <translation>发生的事情会写在这里。</translation>
    </message>
    <message>
        <source>Copies the selected lines, or all that are shown</source>
        <translation>复制选中的行，或显示的所有行</translation>
    </message>
    <message>
        <source>The selected lines in full</source>
        <translation>选中行的完整内容</translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message>
        <source>Lines of the log</source>
        <translation>日志的行</translation>
    </message>
</context>
<context>
    <name>LossCurve</name>
    <message>
        <source>How the loss falls</source>
        <translation>误差如何下降</translation>
    </message>
    <message>
        <source>The curve begins with the swarm&apos;s first epoch.</source>
        <translation>曲线从群组的第一轮开始。</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>误差（损失）</translation>
    </message>
    <message>
        <source>Now {loss}, at the beginning {first}</source>
        <translation>现在 {loss}，开始时 {first}</translation>
    </message>
</context>
<context>
    <name>Mosaic</name>
    <message>
        <source>A sunset over the sea, painted in small strokes that come out of noise</source>
        <translation>海上日落，由从噪点中浮现的细小笔触画成</translation>
    </message>
</context>
<context>
    <name>NamesEditor</name>
    <message>
        <source>Name of a program</source>
        <translation>程序名称</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
</context>
<context>
    <name>Navigation</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>Notifications</name>
    <message>
        <source>Something needs your attention</source>
        <translation>有事情需要你处理</translation>
    </message>
    <message>
        <source>You were signed out</source>
        <translation>你已被退出登录</translation>
    </message>
    <message>
        <source>Idlebrush needs your attention</source>
        <translation>Idlebrush 需要你处理</translation>
    </message>
    <message>
        <source>You are at rank {rank} of {of} in “{run}”.</source>
        <translation>你在“{run}”中排名第 {rank}，共 {of} 位。</translation>
    </message>
    <message>
        <source>Your best rank so far</source>
        <translation>你迄今的最佳排名</translation>
    </message>
    <message>
        <source>“{run}” has done all of its epochs. Have a look at its pictures.</source>
        <translation>“{run}”已完成所有轮次。来看看它的图片吧。</translation>
    </message>
    <message>
        <source>The run is complete</source>
        <translation>项目已完成</translation>
    </message>
</context>
<context>
    <name>NowPage</name>
    <message>
        <source>Nothing to train yet</source>
        <translation>还没有可训练的内容</translation>
    </message>
    <message>
        <source>Join a run, and this computer helps to teach a model to paint whenever you do not need it.</source>
        <translation>加入一个项目，这台电脑就会在你不用它时帮助教模型画画。</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>选择项目</translation>
    </message>
    <message>
        <source>Once Idlebrush runs in the background, you see here what it does.</source>
        <translation>Idlebrush 在后台运行后，你会在这里看到它在做什么。</translation>
    </message>
    <message>
        <source>One moment</source>
        <translation>请稍候</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
</context>
<context>
    <name>NowReasons</name>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>选择项目</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Sign in to this run</source>
        <translation>登录此项目</translation>
    </message>
    <message>
        <source>Change this</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Open the gallery</source>
        <translation>打开图库</translation>
    </message>
    <message>
        <source>Open the log</source>
        <translation>打开日志</translation>
    </message>
</context>
<context>
    <name>NowView</name>
    <message>
        <source>Training waits for data {percent} of the time</source>
        <translation>训练有 {percent} 的时间在等待数据</translation>
    </message>
    <message>
        <source>The connection, or the limit you set for it, is slower than this computer.</source>
        <translation>网络连接或你为其设置的上限比这台电脑慢。</translation>
    </message>
    <message>
        <source>{gathered} of {target} samples</source>
        <translation>{gathered} / {target} 个样本</translation>
    </message>
    <message>
        <source>{count} by you</source>
        <translation>其中 {count} 个来自你</translation>
    </message>
    <message>
        <source>Epoch {epoch}</source>
        <translation>第 {epoch} 轮</translation>
    </message>
    <message>
        <source>Epoch {epoch} of {total}</source>
        <translation>第 {epoch} 轮，共 {total} 轮</translation>
    </message>
    <message>
        <source>About {duration} to go</source>
        <translation>还需约 {duration}</translation>
    </message>
    <message>
        <source>The swarm&apos;s pace</source>
        <translation>群组的速度</translation>
    </message>
    <message>
        <source>Your pace</source>
        <translation>你的速度</translation>
    </message>
    <message>
        <source>Your samples in this epoch</source>
        <translation>你在本轮的样本</translation>
    </message>
    <message>
        <source>Your samples today</source>
        <translation>你今天的样本</translation>
    </message>
    <message>
        <source>Peers in the swarm</source>
        <translation>群组中的电脑</translation>
    </message>
    <message>
        <source>Your rank among {total}</source>
        <translation>你在 {total} 位中的排名</translation>
    </message>
    <message>
        <source>samples per hour</source>
        <translation>样本/小时</translation>
    </message>
    <message>
        <source>samples per second</source>
        <translation>样本/秒</translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) for pictures wait for gaps in training</source>
        <translation>
            <numerusform>%Ln 个图片请求正在等待训练的间隙</numerusform>
        </translation>
    </message>
    <message>
        <source>How this computer trains</source>
        <translation>这台电脑如何训练</translation>
    </message>
    <message numerus="yes">
        <source>On the GPU, %Ln sample(s) at a time: {gpu_memory} of its memory, and {memory} of main memory.</source>
        <translation>
            <numerusform>在 GPU 上，每次 %Ln 个样本：使用其 {gpu_memory} 显存和 {memory} 内存。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>On the processor, %Ln sample(s) at a time: {memory} of memory.</source>
        <translation>
            <numerusform>在处理器上，每次 %Ln 个样本：使用 {memory} 内存。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NumberEditor</name>
    <message>
        <source>Unit of “{preference}”</source>
        <translation>“{preference}”的单位</translation>
    </message>
    <message>
        <source>{preference}: {word}</source>
        <translation>{preference}：{word}</translation>
    </message>
</context>
<context>
    <name>NumbersEditor</name>
    <message>
        <source>0, 1</source>
        <extracomment>Numbers of GPUs.</extracomment>
        <translation>0, 1</translation>
    </message>
    <message>
        <source>{preference}: {word}</source>
        <translation>{preference}：{word}</translation>
    </message>
</context>
<context>
    <name>Order</name>
    <message>
        <source>No model can read this.</source>
        <translation>没有模型能读懂这个。</translation>
    </message>
    <message>
        <source>Say in plain words what the picture should show.</source>
        <translation>请用简单的话说明图片要展示什么。</translation>
    </message>
    <message>
        <source>Say what the pictures should show.</source>
        <translation>请说明图片要展示什么。</translation>
    </message>
    <message>
        <source>That is too long. A few words do best.</source>
        <translation>太长了。几个词最合适。</translation>
    </message>
</context>
<context>
    <name>Outcome</name>
    <message>
        <source>See how its pictures came about</source>
        <translation>看看它的图片是如何产生的</translation>
    </message>
    <message>
        <source>All {epochs} epochs are done</source>
        <translation>全部 {epochs} 轮已完成</translation>
    </message>
    <message>
        <source>Thank you: “{run}” was trained by everybody who took part, and you are one of them.</source>
        <translation>谢谢：“{run}”由所有参与者共同训练，你是其中之一。</translation>
    </message>
</context>
<context>
    <name>OwnPictures</name>
    <message>
        <source>Show older pictures</source>
        <translation>显示更早的图片</translation>
    </message>
    <message>
        <source>“{prompt}” is drawn</source>
        <translation>“{prompt}”已画好</translation>
    </message>
    <message>
        <source>Nothing drawn yet</source>
        <translation>还没有画过</translation>
    </message>
    <message>
        <source>Type a few words above. The model draws many pictures and keeps the best.</source>
        <translation>在上面输入几个词。模型会画许多图片并保留最好的。</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>还没有项目</translation>
    </message>
    <message>
        <source>Choose a run: its model draws what you ask for.</source>
        <translation>选择一个项目：它的模型会画出你想要的。</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>选择项目</translation>
    </message>
    <message>
        <source>“{prompt}” could not be drawn</source>
        <translation>无法画出“{prompt}”</translation>
    </message>
    <message>
        <source>Your pictures cannot be read</source>
        <translation>无法读取你的图片</translation>
    </message>
</context>
<context>
    <name>Plan</name>
    <message>
        <source>This run needs more memory than this computer can give.</source>
        <translation>此项目需要的内存超出这台电脑所能提供的。</translation>
    </message>
    <message>
        <source>Trains on {device} with {gpu_memory} of its memory and {memory} of main memory.</source>
        <extracomment>{gpu_memory} and {memory} are such as &quot;5.2 GB&quot;.</extracomment>
        <translation>在 {device} 上训练，使用其 {gpu_memory} 显存和 {memory} 内存。</translation>
    </message>
    <message>
        <source>Trains on the processor with {memory} of memory.</source>
        <translation>在处理器上训练，使用 {memory} 内存。</translation>
    </message>
    <message>
        <source>16-bit numbers (bfloat16)</source>
        <translation>16 位数值 (bfloat16)</translation>
    </message>
    <message>
        <source>16-bit numbers (float16)</source>
        <translation>16 位数值 (float16)</translation>
    </message>
    <message>
        <source>computing intermediate results again instead of keeping them</source>
        <translation>重新计算中间结果而不保存</translation>
    </message>
    <message>
        <source>rebuilding intermediate results backwards instead of keeping them</source>
        <translation>反向重建中间结果而不保存</translation>
    </message>
    <message>
        <source>computing the loss in parts</source>
        <translation>分块计算误差（损失）</translation>
    </message>
    <message>
        <source>an 8-bit optimizer</source>
        <translation>8 位优化器</translation>
    </message>
    <message>
        <source>the optimizer in main memory</source>
        <translation>优化器放在内存中</translation>
    </message>
</context>
<context>
    <name>PlayBar</name>
    <message>
        <source>Play the time-lapse</source>
        <translation>播放延时影片</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Pause the time-lapse</source>
        <translation>暂停延时影片</translation>
    </message>
    <message>
        <source>Epoch {epoch}</source>
        <translation>第 {epoch} 轮</translation>
    </message>
</context>
<context>
    <name>Plot</name>
    <message>
        <source>Nothing to show yet</source>
        <translation>还没有可显示的内容</translation>
    </message>
</context>
<context>
    <name>Preferences</name>
    <message>
        <source>When to train</source>
        <translation>何时训练</translation>
    </message>
    <message>
        <source>While you use the computer</source>
        <translation>你使用电脑时</translation>
    </message>
    <message>
        <source>Battery and heat</source>
        <translation>电池与温度</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>其他程序</translation>
    </message>
    <message>
        <source>How much to use</source>
        <translation>资源用量</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Hours of the week</source>
        <translation>训练时段</translation>
    </message>
    <message>
        <source>Not in use after</source>
        <translation>视为闲置的时间</translation>
    </message>
    <message>
        <source>Processor while in use</source>
        <translation>使用电脑时的处理器</translation>
    </message>
    <message>
        <source>GPU while in use</source>
        <translation>使用电脑时的 GPU</translation>
    </message>
    <message>
        <source>Pause for full-screen applications</source>
        <translation>全屏应用时暂停</translation>
    </message>
    <message>
        <source>Pause for videos</source>
        <translation>播放视频时暂停</translation>
    </message>
    <message>
        <source>On battery</source>
        <translation>使用电池时</translation>
    </message>
    <message>
        <source>Lowest charge</source>
        <translation>最低电量</translation>
    </message>
    <message>
        <source>Hottest processor</source>
        <translation>处理器最高温度</translation>
    </message>
    <message>
        <source>Hottest GPU</source>
        <translation>GPU 最高温度</translation>
    </message>
    <message>
        <source>Processor used by others</source>
        <translation>其他程序占用的处理器</translation>
    </message>
    <message>
        <source>GPU used by others</source>
        <translation>其他程序占用的 GPU</translation>
    </message>
    <message>
        <source>Exclusive applications</source>
        <translation>优先应用</translation>
    </message>
    <message>
        <source>Share of the time</source>
        <translation>时间占比</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>处理器线程</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Disk for runs</source>
        <translation>项目的磁盘空间</translation>
    </message>
    <message>
        <source>Disk left free</source>
        <translation>磁盘保留空间</translation>
    </message>
    <message>
        <source>Memory for training</source>
        <translation>训练的内存</translation>
    </message>
    <message>
        <source>Memory left free</source>
        <translation>内存保留空间</translation>
    </message>
    <message>
        <source>GPU memory for training</source>
        <translation>训练的显存</translation>
    </message>
    <message>
        <source>GPU memory for others</source>
        <translation>为其他程序保留的显存</translation>
    </message>
    <message>
        <source>Stay in memory for</source>
        <translation>在内存中保留</translation>
    </message>
    <message>
        <source>Free the GPU at every pause</source>
        <translation>每次暂停时释放 GPU</translation>
    </message>
    <message>
        <source>Upload speed</source>
        <translation>上传速度</translation>
    </message>
    <message>
        <source>Download speed</source>
        <translation>下载速度</translation>
    </message>
    <message>
        <source>Traffic in a month</source>
        <translation>每月流量</translation>
    </message>
    <message>
        <source>Pause on metered connections</source>
        <translation>按流量计费时暂停</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation>登录系统时启动</translation>
    </message>
    <message>
        <source>“Always” ignores what is only for your convenience, and still respects what protects the computer and your bill: heat, memory, disk, lowest charge, metered connections and the month&apos;s traffic.</source>
        <translation>“始终”会忽略为你方便而设的条件，但仍遵守保护电脑和费用的条件：温度、内存、磁盘、最低电量、按流量计费的连接和每月流量。</translation>
    </message>
    <message>
        <source>The hours of the week in which to train, in local time.</source>
        <translation>一周中进行训练的时段，按本地时间。</translation>
    </message>
    <message>
        <source>How long keyboard and mouse must stay untouched before the computer counts as not in use.</source>
        <translation>键盘和鼠标无人触碰多久后，电脑视为未使用。</translation>
    </message>
    <message>
        <source>What happens to training on the processor while you use the computer: it pauses, or goes on for this share of the time.</source>
        <translation>你使用电脑时处理器上的训练如何处理：暂停，或在此比例的时间内继续。</translation>
    </message>
    <message>
        <source>What happens to training on a GPU while you use the computer: it pauses, or goes on for this share of the time.</source>
        <translation>你使用电脑时 GPU 上的训练如何处理：暂停，或在此比例的时间内继续。</translation>
    </message>
    <message>
        <source>Pause while an application fills the screen, such as a game.</source>
        <translation>当应用占满屏幕（如游戏）时暂停。</translation>
    </message>
    <message>
        <source>Pause while an application keeps the screen on, such as a video player.</source>
        <translation>当应用让屏幕保持点亮（如视频播放器）时暂停。</translation>
    </message>
    <message>
        <source>Whether training pauses while the computer runs on its battery.</source>
        <translation>电脑使用电池时训练是否暂停。</translation>
    </message>
    <message>
        <source>Training pauses below this charge, where it is allowed on battery.</source>
        <translation>在允许使用电池训练时，低于此电量则暂停。</translation>
    </message>
    <message>
        <source>Pause while the processor is hotter than this, until it has cooled by 5 °C.</source>
        <translation>处理器温度高于此值时暂停，直到降低 5&#xa0;°C。</translation>
    </message>
    <message>
        <source>Pause while the GPU is hotter than this, until it has cooled by 5 °C.</source>
        <translation>GPU 温度高于此值时暂停，直到降低 5&#xa0;°C。</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this of all processor cores.</source>
        <translation>其他程序占用所有处理器核心超过此比例时暂停。</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this of the GPU that trains.</source>
        <translation>其他程序占用训练所用 GPU 超过此比例时暂停。</translation>
    </message>
    <message>
        <source>Nothing trains while one of these applications runs. Give the names of their programs.</source>
        <translation>这些应用之一运行时不进行训练。请填写其程序名称。</translation>
    </message>
    <message>
        <source>Never compute for more than this share of the time. Short breaks between steps make less heat and noise.</source>
        <translation>计算时间绝不超过此比例。步骤之间的短暂休息可减少发热和噪音。</translation>
    </message>
    <message>
        <source>How many threads of the processor to train with. Automatic: all cores but one, or four beside a GPU.</source>
        <translation>用多少处理器线程训练。自动：除一个以外的所有核心，或在使用 GPU 时四个。</translation>
    </message>
    <message>
        <source>Which GPUs may train, by their numbers, counted from 0 and separated by commas.</source>
        <translation>哪些 GPU 可以训练，按编号，从 0 开始，用逗号分隔。</translation>
    </message>
    <message>
        <source>The most that runs may take of the disk.</source>
        <translation>项目最多可占用的磁盘空间。</translation>
    </message>
    <message>
        <source>Pause while less than this is free on the disk.</source>
        <translation>磁盘剩余空间少于此值时暂停。</translation>
    </message>
    <message>
        <source>The most memory (RAM) that training may take.</source>
        <translation>训练最多可占用的内存 (RAM)。</translation>
    </message>
    <message>
        <source>Give all memory back when less than this is left for other programs.</source>
        <translation>留给其他程序的内存少于此值时归还全部内存。</translation>
    </message>
    <message>
        <source>The most GPU memory that training may take.</source>
        <translation>训练最多可占用的显存。</translation>
    </message>
    <message>
        <source>GPU memory kept for other programs. When they need more than that, training ends at once and gives all of its own back.</source>
        <translation>为其他程序保留的显存。当它们需要更多时，训练立即结束并归还全部显存。</translation>
    </message>
    <message>
        <source>How long a pause may last before training gives its memory back.</source>
        <translation>暂停多久之后训练归还其内存。</translation>
    </message>
    <message>
        <source>Give GPU memory back at every pause. Going on then takes longer.</source>
        <translation>每次暂停时归还显存。之后继续会更慢。</translation>
    </message>
    <message>
        <source>The fastest that training may send.</source>
        <translation>训练的最高发送速度。</translation>
    </message>
    <message>
        <source>The fastest that training may receive.</source>
        <translation>训练的最高接收速度。</translation>
    </message>
    <message>
        <source>The most that training may send and receive together in a calendar month.</source>
        <translation>训练在一个自然月内最多可发送和接收的总流量。</translation>
    </message>
    <message>
        <source>Pause while the connection is metered, such as a phone&apos;s.</source>
        <translation>连接按流量计费（如手机热点）时暂停。</translation>
    </message>
    <message>
        <source>Where other peers reach this computer. Automatic: any port that is free.</source>
        <translation>其他参与者连接这台电脑的端口。自动：任意空闲端口。</translation>
    </message>
    <message>
        <source>Start Idlebrush, in the background, when you log in.</source>
        <translation>你登录系统时在后台启动 Idlebrush。</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>始终</translation>
    </message>
    <message>
        <source>As set here</source>
        <translation>按此处设置</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>At all hours</source>
        <translation>所有时段</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Unlimited</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开启</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>PreferencesPage</name>
    <message>
        <source>Search the preferences</source>
        <translation>搜索首选项</translation>
    </message>
    <message>
        <source>No such preference</source>
        <translation>没有这样的首选项</translation>
    </message>
    <message>
        <source>Try another word.</source>
        <translation>换个词试试。</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
</context>
<context>
    <name>Privacy</name>
    <message>
        <source>Other volunteers</source>
        <translation>其他志愿者</translation>
    </message>
    <message>
        <source>The run&apos;s coordinator</source>
        <translation>项目的协调者</translation>
    </message>
    <message>
        <source>Nobody</source>
        <translation>没有人能看到</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU by its memory), how fast you train, the gradients you send, and the user name by which you were admitted.</source>
        <translation>你的 IP 地址、随机的节点 ID、硬件种类（处理器，或按显存区分的 GPU）、训练速度、你发送的梯度，以及你获准加入时使用的用户名。</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU by its memory), how fast you train, and the gradients you send. No name.</source>
        <translation>你的 IP 地址、随机的节点 ID、硬件种类（处理器，或按显存区分的 GPU）、训练速度和你发送的梯度。不含姓名。</translation>
    </message>
    <message>
        <source>Your user name and how much your computers do. It is on the leaderboard unless you hide it. The coordinator gets a proof made for it alone, and never your token.</source>
        <translation>你的用户名以及你的电脑完成的工作量。除非你隐藏，否则用户名会显示在排行榜上。协调者得到的是专为其生成的证明，绝不会得到你的令牌。</translation>
    </message>
    <message>
        <source>That a computer with your address takes part, and how much it does.</source>
        <translation>有一台使用你地址的电脑参与，以及它完成的工作量。</translation>
    </message>
    <message>
        <source>If you sign in: that you did. Your token stays on this computer and goes to nobody but the Hub. Data and files of a run that are kept on the Hub are fetched from there.</source>
        <translation>如果你登录：仅知道你登录过。你的令牌留在这台电脑上，只会发送给 Hub。保存在 Hub 上的项目数据和文件会从那里下载。</translation>
    </message>
    <message>
        <source>Your files, what you type, which programs you use. To get out of your way, Idlebrush asks the system how long ago there was input, but not which. That, and the prompts and pictures of your gallery, never leave this computer.</source>
        <translation>你的文件、你输入的内容、你使用的程序。为了不妨碍你，Idlebrush 会向系统询问上次输入距今多久，但不询问输入了什么。这些信息以及你图库中的提示词和图片绝不会离开这台电脑。</translation>
    </message>
</context>
<context>
    <name>PrivacyCard</name>
    <message>
        <source>What others see</source>
        <translation>他人能看到什么</translation>
    </message>
</context>
<context>
    <name>Problems</name>
    <message>
        <source>{what} {remedy}</source>
        <extracomment>{what} and {remedy} are whole English sentences.</extracomment>
        <translation>{what} {remedy}</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background</source>
        <translation>Idlebrush 未在后台运行</translation>
    </message>
    <message>
        <source>Start it to train and to see how things stand.</source>
        <translation>启动它即可训练并查看状态。</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush 没有响应</translation>
    </message>
    <message>
        <source>Wait a moment. If it stays silent, restart it.</source>
        <translation>请稍候。如果一直没有响应，请重新启动它。</translation>
    </message>
    <message>
        <source>Another version of Idlebrush is still running in the background</source>
        <translation>另一个版本的 Idlebrush 仍在后台运行</translation>
    </message>
    <message>
        <source>Restart it to use this version.</source>
        <translation>重新启动它以使用此版本。</translation>
    </message>
    <message>
        <source>The run does not let this computer take part</source>
        <translation>此项目不允许这台电脑参与</translation>
    </message>
    <message>
        <source>Idlebrush is already running</source>
        <translation>Idlebrush 已在运行</translation>
    </message>
    <message>
        <source>Idlebrush can no longer tell whether you are using the computer</source>
        <translation>Idlebrush 无法再判断你是否在使用电脑</translation>
    </message>
    <message>
        <source>Start at login could not be changed</source>
        <translation>无法更改“登录系统时启动”</translation>
    </message>
    <message>
        <source>A service of the desktop does not answer</source>
        <translation>桌面的某项服务没有响应</translation>
    </message>
    <message>
        <source>A checkpoint of the run cannot be used</source>
        <translation>项目的检查点无法使用</translation>
    </message>
    <message>
        <source>The trainer cannot be kept going</source>
        <translation>训练程序无法持续运行</translation>
    </message>
    <message>
        <source>The run&apos;s image codec cannot be used</source>
        <translation>项目的图像编解码器无法使用</translation>
    </message>
    <message>
        <source>The run&apos;s coordinator cannot be reached</source>
        <translation>无法联系项目的协调者</translation>
    </message>
    <message>
        <source>Idlebrush could not start in the background</source>
        <translation>Idlebrush 无法在后台启动</translation>
    </message>
    <message>
        <source>What runs in the background is not yours</source>
        <translation>后台运行的程序不属于你</translation>
    </message>
    <message>
        <source>The run&apos;s training data cannot be used</source>
        <translation>项目的训练数据无法使用</translation>
    </message>
    <message>
        <source>The display does not answer as it should</source>
        <translation>显示系统没有正常响应</translation>
    </message>
    <message>
        <source>A download did not succeed</source>
        <translation>下载未成功</translation>
    </message>
    <message>
        <source>That is not a length of time</source>
        <translation>这不是时长</translation>
    </message>
    <message>
        <source>The folder cannot be used</source>
        <translation>该文件夹无法使用</translation>
    </message>
    <message>
        <source>The run does not let you in</source>
        <translation>此项目不允许你加入</translation>
    </message>
    <message>
        <source>The pictures could not be drawn</source>
        <translation>无法画出图片</translation>
    </message>
    <message>
        <source>A training step went wrong, and was not used</source>
        <translation>一个训练步骤出错，未被采用</translation>
    </message>
    <message>
        <source>The Hugging Face Hub cannot be reached</source>
        <translation>无法连接 Hugging Face Hub</translation>
    </message>
    <message>
        <source>This run cannot be joined</source>
        <translation>无法加入此项目</translation>
    </message>
    <message>
        <source>The keyring of your system does not work</source>
        <translation>系统的密钥环无法工作</translation>
    </message>
    <message>
        <source>The keyring of your system is locked</source>
        <translation>系统的密钥环已锁定</translation>
    </message>
    <message>
        <source>The description of the run cannot be trusted</source>
        <translation>项目的描述不可信</translation>
    </message>
    <message>
        <source>Your membership of the run has ended</source>
        <translation>你在此项目中的成员资格已结束</translation>
    </message>
    <message>
        <source>The memory that training needs cannot be planned</source>
        <translation>无法规划训练所需的内存</translation>
    </message>
    <message>
        <source>Your system has no keyring to keep the sign-in</source>
        <translation>系统没有可保存登录信息的密钥环</translation>
    </message>
    <message>
        <source>The NVIDIA driver does not answer</source>
        <translation>NVIDIA 驱动没有响应</translation>
    </message>
    <message>
        <source>There is no NVIDIA driver</source>
        <translation>没有 NVIDIA 驱动</translation>
    </message>
    <message>
        <source>This preference cannot be used</source>
        <translation>此首选项无法使用</translation>
    </message>
    <message>
        <source>The pictures could not be ranked</source>
        <translation>无法为图片评分</translation>
    </message>
    <message>
        <source>A receipt cannot be trusted</source>
        <translation>收据不可信</translation>
    </message>
    <message>
        <source>You are signed out</source>
        <translation>你已退出登录</translation>
    </message>
    <message>
        <source>The sign-in was not completed</source>
        <translation>登录未完成</translation>
    </message>
    <message>
        <source>What Idlebrush remembers could not be read or saved</source>
        <translation>无法读取或保存 Idlebrush 的记录</translation>
    </message>
    <message>
        <source>The record of your contribution cannot be used</source>
        <translation>你的贡献记录无法使用</translation>
    </message>
    <message>
        <source>The swarm cannot be reached</source>
        <translation>无法连接群组</translation>
    </message>
    <message>
        <source>The run&apos;s tokenizer cannot be used</source>
        <translation>项目的分词器无法使用</translation>
    </message>
</context>
<context>
    <name>PromptForm</name>
    <message>
        <source>What to draw</source>
        <translation>画什么</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>画</translation>
    </message>
    <message>
        <source>usual</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>a new one</source>
        <translation>新的</translation>
    </message>
    <message>
        <source>What should it draw? Such as “{prompt}”</source>
        <extracomment>{prompt} is an example of what the model can draw, in the language of the run.</extracomment>
        <translation>要画什么？例如“{prompt}”</translation>
    </message>
    <message>
        <source>What should it draw?</source>
        <translation>要画什么？</translation>
    </message>
    <message>
        <source>More options</source>
        <translation>更多选项</translation>
    </message>
    <message>
        <source>Fewer options</source>
        <translation>更少选项</translation>
    </message>
    <message>
        <source>Pictures to draw</source>
        <translation>要画的图片数</translation>
    </message>
    <message>
        <source>Best to keep</source>
        <translation>保留的最佳数</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Lower is safer, higher more surprising</source>
        <translation>越低越稳妥，越高越出人意料</translation>
    </message>
    <message>
        <source>Likeliest codes</source>
        <translation>最可能的编码</translation>
    </message>
    <message>
        <source>Each piece of a picture is chosen from this many of the likeliest codes (top-k)</source>
        <translation>图片的每一块都从这么多个最可能的编码中选取 (top-k)</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>The same seed and words give the same pictures</source>
        <translation>相同的种子和文字得到相同的图片</translation>
    </message>
</context>
<context>
    <name>ProspectPanel</name>
    <message>
        <source>Trying the run out</source>
        <translation>正在试运行项目</translation>
    </message>
    <message>
        <source>Measure for a minute</source>
        <translation>测量一分钟</translation>
    </message>
    <message>
        <source>Stop measuring</source>
        <translation>停止测量</translation>
    </message>
    <message>
        <source>Learns to draw: {prompts}</source>
        <extracomment>{prompts} is a list such as &quot;red heart · pizza · rocket&quot;.</extracomment>
        <translation>学习画：{prompts}</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>再次测量</translation>
    </message>
</context>
<context>
    <name>QrCode</name>
    <message>
        <source>QR code</source>
        <translation>二维码</translation>
    </message>
</context>
<context>
    <name>Queue</name>
    <message>
        <source>Waiting for its turn</source>
        <translation>等待轮到它</translation>
    </message>
    <message>
        <source>Drawn between steps of training</source>
        <translation>在训练步骤之间绘制</translation>
    </message>
    <message>
        <source>Paused, as training is</source>
        <translation>与训练一样已暂停</translation>
    </message>
    <message>
        <source>Drawn when nothing else needs the computer</source>
        <translation>在电脑空闲时绘制</translation>
    </message>
    <message>
        <source>Drawn gently while you use the computer</source>
        <translation>在你使用电脑时轻柔地绘制</translation>
    </message>
    <message>
        <source>Being cancelled</source>
        <translation>正在取消</translation>
    </message>
    <message numerus="yes">
        <source>%Ln picture(s)</source>
        <translation>
            <numerusform>%Ln 张图片</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QueueRow</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>QuitDialog</name>
    <message>
        <source>Quit Idlebrush</source>
        <translation>退出 Idlebrush</translation>
    </message>
    <message>
        <source>Time taken, of the longest that it may take</source>
        <translation>已用时间，占最长时间的比例</translation>
    </message>
    <message>
        <source>&amp;Remember my answer</source>
        <translation>记住我的回答(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Stop training</source>
        <translation>停止训练(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Keep training</source>
        <translation>继续训练(&amp;K)</translation>
    </message>
    <message>
        <source>Keep training while Idlebrush is closed?</source>
        <translation>Idlebrush 关闭后继续训练吗？</translation>
    </message>
    <message>
        <source>In the background, this computer goes on as your preferences say, and you see what it did when you come back.</source>
        <translation>这台电脑会按你的首选项在后台继续，你回来时就能看到它做了什么。</translation>
    </message>
    <message>
        <source>Training stops</source>
        <translation>训练停止</translation>
    </message>
    <message>
        <source>This computer is leaving the swarm. That takes a few seconds.</source>
        <translation>这台电脑正在退出群组。这需要几秒钟。</translation>
    </message>
    <message>
        <source>&amp;Do not wait</source>
        <translation>不等待(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Quit anyway</source>
        <translation>仍然退出(&amp;Q)</translation>
    </message>
</context>
<context>
    <name>RanksCard</name>
    <message>
        <source>My rank over time</source>
        <translation>我的排名随时间的变化</translation>
    </message>
    <message>
        <source>It is looked up now and then while this computer trains.</source>
        <translation>这台电脑训练时会不时查询排名。</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>排名</translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message>
        <source>your hours allow it again from {moment}</source>
        <translation>不在训练时段内，{moment} 起继续</translation>
    </message>
    <message>
        <source>{programs} fills the screen</source>
        <extracomment>{programs} is the name of a program, or several with commas between them.</extracomment>
        <translation>{programs} 占满了屏幕</translation>
    </message>
    <message>
        <source>{programs} must not be disturbed</source>
        <translation>不应打扰 {programs}</translation>
    </message>
    <message>
        <source>{programs} keeps the screen on</source>
        <translation>{programs} 让屏幕保持点亮</translation>
    </message>
    <message>
        <source>you have not agreed to train yet</source>
        <extracomment>All of these follow &quot;Paused: &quot; or &quot;Slowed to 50%: &quot;, and also stand alone, capitalised.</extracomment>
        <translation>你还没有同意训练</translation>
    </message>
    <message>
        <source>you chose never to train</source>
        <translation>你选择了“从不”</translation>
    </message>
    <message>
        <source>you paused it until you resume</source>
        <translation>你已暂停，等待你手动继续</translation>
    </message>
    <message>
        <source>you paused it for a while</source>
        <translation>你已暂停一会儿</translation>
    </message>
    <message>
        <source>another run is being tried out</source>
        <translation>正在试运行另一个项目</translation>
    </message>
    <message>
        <source>you are using the computer</source>
        <translation>你正在使用电脑</translation>
    </message>
    <message>
        <source>an application fills the screen</source>
        <translation>有应用占满了屏幕</translation>
    </message>
    <message>
        <source>one of your exclusive applications is running</source>
        <translation>你的一个优先应用正在运行</translation>
    </message>
    <message>
        <source>an application keeps the screen on</source>
        <translation>有应用让屏幕保持点亮</translation>
    </message>
    <message>
        <source>another program needs the memory of the GPU</source>
        <translation>其他程序需要 GPU 的显存</translation>
    </message>
    <message>
        <source>memory is short</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>other programs keep the processor busy</source>
        <translation>其他程序占用了处理器</translation>
    </message>
    <message>
        <source>other programs keep the GPU busy</source>
        <translation>其他程序占用了 GPU</translation>
    </message>
    <message>
        <source>the processor has to cool down</source>
        <translation>处理器需要降温</translation>
    </message>
    <message>
        <source>the GPU has to cool down</source>
        <translation>GPU 需要降温</translation>
    </message>
    <message>
        <source>the computer runs on its battery</source>
        <translation>电脑正在使用电池</translation>
    </message>
    <message>
        <source>the battery is low</source>
        <translation>电池电量低</translation>
    </message>
    <message>
        <source>it is outside your hours</source>
        <translation>不在训练时段内</translation>
    </message>
    <message>
        <source>the network connection is metered</source>
        <translation>网络连接按流量计费</translation>
    </message>
    <message>
        <source>the traffic you allow in a month is used up</source>
        <translation>你允许的每月流量已用完</translation>
    </message>
    <message>
        <source>the disk is nearly full</source>
        <translation>磁盘快满了</translation>
    </message>
    <message>
        <source>runs take as much of the disk as you allow</source>
        <translation>项目占用的磁盘已达到你允许的上限</translation>
    </message>
    <message>
        <source>you let it compute for only part of the time</source>
        <translation>你只允许它计算一部分时间</translation>
    </message>
</context>
<context>
    <name>Row</name>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Reset to the default</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>Reset “{preference}” to its default</source>
        <translation>将“{preference}”恢复为默认值</translation>
    </message>
    <message>
        <source>{preference}: saved</source>
        <translation>{preference}：已保存</translation>
    </message>
</context>
<context>
    <name>RunPictures</name>
    <message>
        <source>Open the folder of the pictures</source>
        <translation>打开图片文件夹</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>The run&apos;s pictures cannot be read</source>
        <translation>无法读取项目的图片</translation>
    </message>
    <message>
        <source>No pictures yet</source>
        <translation>还没有图片</translation>
    </message>
    <message>
        <source>Every few epochs the model draws the run&apos;s prompts. They will appear here.</source>
        <translation>每隔几轮，模型会按项目的提示词作画。图片会显示在这里。</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>还没有项目</translation>
    </message>
    <message>
        <source>Choose a run, and watch its pictures get better here.</source>
        <translation>选择一个项目，在这里看着它的图片越来越好。</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>选择项目</translation>
    </message>
</context>
<context>
    <name>RunScreen</name>
    <message>
        <source>Choose a run</source>
        <translation>选择项目</translation>
    </message>
    <message>
        <source>A run is one model that many computers train together, for weeks or months.</source>
        <translation>在一个项目中，许多电脑用几周或几个月共同训练一个模型。</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>在这台电脑上</translation>
    </message>
    <message>
        <source>A small run, to try it out alone</source>
        <translation>一个小型项目，可独自试用</translation>
    </message>
    <message>
        <source>From a link</source>
        <translation>通过链接</translation>
    </message>
    <message>
        <source>From a run&apos;s website, or from a friend</source>
        <translation>来自项目的网站或朋友</translation>
    </message>
    <message>
        <source>From a file</source>
        <translation>从文件</translation>
    </message>
    <message>
        <source>A run&apos;s description, such as run.toml</source>
        <translation>项目的描述文件，如 run.toml</translation>
    </message>
    <message>
        <source>Looking at the run</source>
        <translation>正在查看项目</translation>
    </message>
    <message>
        <source>Looking at the run, and at what this computer can give…</source>
        <translation>正在查看项目以及这台电脑能提供的资源…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>This run is too large for this computer</source>
        <translation>此项目对这台电脑来说太大</translation>
    </message>
    <message>
        <source>This computer already trains this run.</source>
        <translation>这台电脑已在参与此项目。</translation>
    </message>
</context>
<context>
    <name>SaveDialog</name>
    <message>
        <source>Save picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
</context>
<context>
    <name>Screen</name>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
</context>
<context>
    <name>SignInScreen</name>
    <message>
        <source>Sign in, if you like</source>
        <translation>如果愿意，请登录</translation>
    </message>
    <message>
        <source>Some runs admit only people whom they know by their account on the Hugging Face Hub. Open runs, and the one that comes with Idlebrush, need no account: you can skip this, and sign in later.</source>
        <translation>有些项目只接纳通过 Hugging Face Hub 账户认识的人。开放的项目以及随 Idlebrush 提供的项目不需要账户：你可以跳过此步，以后再登录。</translation>
    </message>
    <message>
        <source>With a code</source>
        <translation>用代码</translation>
    </message>
    <message>
        <source>With a token</source>
        <translation>用令牌</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>You get a short code, and enter it in a browser, here or on your phone. Idlebrush never sees your password, and asks for nothing but your name.</source>
        <translation>你会得到一个短代码，在这里或手机上的浏览器中输入。Idlebrush 永远不会看到你的密码，除了你的名字也不会询问其他信息。</translation>
    </message>
    <message>
        <source>Get a code</source>
        <translation>获取代码</translation>
    </message>
    <message>
        <source>Sign out</source>
        <translation>退出登录</translation>
    </message>
    <message>
        <source>Get a new code</source>
        <translation>获取新代码</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Only until Idlebrush ends</source>
        <translation>仅到 Idlebrush 退出为止</translation>
    </message>
    <message>
        <source>In a file that only I can read</source>
        <translation>保存在只有我能读取的文件中</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot keep your sign-in</source>
        <translation>这台电脑的密钥环无法保存你的登录信息</translation>
    </message>
    <message>
        <source>Unlock it and try again, or choose where else to keep the sign-in.</source>
        <translation>请将其解锁后重试，或选择其他保存登录信息的位置。</translation>
    </message>
    <message>
        <source>Asking for a code…</source>
        <translation>正在请求代码…</translation>
    </message>
    <message>
        <source>Signed in as {name}</source>
        <translation>已以 {name} 的身份登录</translation>
    </message>
</context>
<context>
    <name>SingleApp</name>
    <message>
        <source>Idlebrush is already open, but does not answer.</source>
        <translation>Idlebrush 已打开，但没有响应。</translation>
    </message>
    <message>
        <source>Wait a moment; if nothing changes, end process {pid} and start Idlebrush again.</source>
        <translation>请稍候；如果一直如此，请结束进程 {pid} 并重新启动。</translation>
    </message>
    <message>
        <source>The file {file} cannot be written.</source>
        <translation>无法写入文件 {file}。</translation>
    </message>
    <message>
        <source>Free some space, or set IDLEBRUSH_HOME to a folder of yours.</source>
        <translation>请腾出一些空间，或将 IDLEBRUSH_HOME 设为你自己的文件夹。</translation>
    </message>
</context>
<context>
    <name>Snooze</name>
    <message>
        <source>15 minutes</source>
        <translation>15 分钟</translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>1 小时</translation>
    </message>
    <message>
        <source>Until tomorrow</source>
        <translation>直到明天</translation>
    </message>
</context>
<context>
    <name>StatusChip</name>
    <message>
        <source>Not running</source>
        <translation>未运行</translation>
    </message>
</context>
<context>
    <name>StepIndicator</name>
    <message>
        <source>Step {number} of {of}: {title}</source>
        <extracomment>Where one is in the first run, such as &quot;Step 2 of 5: Sign in&quot;.</extracomment>
        <translation>第 {number} 步，共 {of} 步：{title}</translation>
    </message>
</context>
<context>
    <name>StreakCard</name>
    <message>
        <source>Days in a row</source>
        <translation>连续天数</translation>
    </message>
</context>
<context>
    <name>TimesScreen</name>
    <message>
        <source>When may it train?</source>
        <translation>什么时候可以训练？</translation>
    </message>
    <message>
        <source>These are good to begin with. You can change them, and many more, at any time.</source>
        <translation>这些设置适合起步。你可以随时更改它们以及更多设置。</translation>
    </message>
    <message>
        <source>When to train</source>
        <translation>何时训练</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>“Always” goes on while you use the computer.</source>
        <translation>“始终”会在你使用电脑时继续。</translation>
    </message>
    <message>
        <source>You are away after</source>
        <translation>视为离开的时间</translation>
    </message>
    <message>
        <source>Without touching keyboard or mouse. When you come back, it stops at once.</source>
        <translation>未触碰键盘或鼠标。你回来时，它会立即停止。</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>训练时段</translation>
    </message>
    <message>
        <source>In local time.</source>
        <translation>按本地时间。</translation>
    </message>
    <message>
        <source>Heat and noise</source>
        <translation>发热与噪音</translation>
    </message>
    <message>
        <source>With breaks between steps, the computer stays cooler and quieter.</source>
        <translation>步骤之间有休息，电脑会更凉爽更安静。</translation>
    </message>
    <message>
        <source>Train on battery</source>
        <translation>使用电池时训练</translation>
    </message>
    <message>
        <source>Otherwise it waits until the computer is plugged in.</source>
        <translation>否则会等到电脑接通电源。</translation>
    </message>
    <message>
        <source>Start when I log in</source>
        <translation>登录系统时启动</translation>
    </message>
    <message>
        <source>In the background, without a window.</source>
        <translation>在后台，不显示窗口。</translation>
    </message>
</context>
<context>
    <name>TokenPanel</name>
    <message>
        <source>Token</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>Show the token</source>
        <translation>显示令牌</translation>
    </message>
    <message>
        <source>Check it and sign in</source>
        <translation>检查并登录</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Make a token</source>
        <translation>创建令牌</translation>
    </message>
    <message>
        <source>A read-only token is enough. It goes to the Hugging Face Hub and to nobody else.</source>
        <translation>只读令牌就够了。它只会发送给 Hugging Face Hub。</translation>
    </message>
    <message>
        <source>Hide the token</source>
        <translation>隐藏令牌</translation>
    </message>
</context>
<context>
    <name>Tools</name>
    <message>
        <source>Find in the log</source>
        <translation>在日志中查找</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随新行</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>通告</translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s)</source>
        <translation>
            <numerusform>%Ln 行</numerusform>
        </translation>
    </message>
    <message>
        <source>Which log</source>
        <translation>哪个日志</translation>
    </message>
    <message>
        <source>Which lines</source>
        <translation>哪些行</translation>
    </message>
    <message>
        <source>All lines</source>
        <translation>所有行</translation>
    </message>
    <message>
        <source>Without details</source>
        <translation>不含详情</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告和错误</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>TrayMenu</name>
    <message>
        <source>&amp;Open Idlebrush</source>
        <translation>打开 Idlebrush(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Finish this epoch</source>
        <translation>完成本轮(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Snooze</source>
        <translation>暂停一会儿(&amp;S)</translation>
    </message>
    <message>
        <source>Training &amp;mode</source>
        <translation>训练模式(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Always</source>
        <translation>始终(&amp;A)</translation>
    </message>
    <message>
        <source>As my &amp;preferences say</source>
        <translation>按我的首选项(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Never</source>
        <translation>从不(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Gallery</source>
        <translation>图库(&amp;G)</translation>
    </message>
    <message>
        <source>My &amp;contribution</source>
        <translation>我的贡献(&amp;C)</translation>
    </message>
    <message>
        <source>Pr&amp;eferences</source>
        <translation>首选项(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>继续(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>重试(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Start in the background</source>
        <translation>在后台启动(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Restart in the background</source>
        <translation>在后台重新启动(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Snoozed until {moment}</source>
        <translation>已暂停，{moment} 继续(&amp;S)</translation>
    </message>
</context>
<context>
    <name>Trouble</name>
    <message>
        <source>Idlebrush is starting</source>
        <translation>Idlebrush 正在启动</translation>
    </message>
    <message>
        <source>Idlebrush does not run in the background</source>
        <translation>Idlebrush 未在后台运行</translation>
    </message>
    <message>
        <source>Nothing is trained until you start it.</source>
        <translation>在你启动它之前不会训练任何内容。</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush 没有响应</translation>
    </message>
    <message>
        <source>The computer may be very busy. What you see is what it last said.</source>
        <translation>电脑可能非常繁忙。你看到的是它最后报告的内容。</translation>
    </message>
    <message>
        <source>Another version of Idlebrush runs in the background</source>
        <translation>另一个版本的 Idlebrush 正在后台运行</translation>
    </message>
    <message>
        <source>Restart it so that both are the same version. Training goes on after that.</source>
        <translation>请重新启动它，使两者版本一致。之后训练会继续。</translation>
    </message>
    <message>
        <source>Idlebrush runs as another user</source>
        <translation>Idlebrush 以其他用户身份运行</translation>
    </message>
    <message>
        <source>Idlebrush could not be started</source>
        <translation>无法启动 Idlebrush</translation>
    </message>
    <message>
        <source>Start it</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Restart it</source>
        <translation>重新启动</translation>
    </message>
</context>
<context>
    <name>Viewer</name>
    <message>
        <source>Back to all pictures</source>
        <translation>返回所有图片</translation>
    </message>
    <message>
        <source>Previous picture</source>
        <translation>上一张图片</translation>
    </message>
    <message>
        <source>Next picture</source>
        <translation>下一张图片</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
    <message>
        <source>Let&apos;s begin</source>
        <translation>开始吧</translation>
    </message>
    <message>
        <source>Your computer can help a machine learn to paint</source>
        <translation>你的电脑可以帮助机器学习画画</translation>
    </message>
    <message>
        <source>While you are away, Idlebrush trains one model together with other people&apos;s computers. It turns words into pictures, and you can watch it get better.</source>
        <translation>你离开时，Idlebrush 与其他人的电脑一起训练一个模型。它把文字变成图片，你可以看着它越来越好。</translation>
    </message>
    <message>
        <source>What it will do</source>
        <translation>Idlebrush 会做什么</translation>
    </message>
    <message>
        <source>What it won&apos;t do</source>
        <translation>Idlebrush 不会做什么</translation>
    </message>
    <message>
        <source>Give the computer back at once when you return to it.</source>
        <translation>你回来时立即归还电脑。</translation>
    </message>
    <message>
        <source>Rest on battery, during games and videos, and when the computer gets hot.</source>
        <translation>使用电池、游戏和视频期间以及电脑过热时暂停。</translation>
    </message>
    <message>
        <source>Keep to the limits that you set for heat, noise, memory and bandwidth.</source>
        <translation>遵守你为发热、噪音、内存和带宽设置的上限。</translation>
    </message>
    <message>
        <source>Train anything before you have agreed to it, at the end of these five steps.</source>
        <translation>在你于第五步表示同意之前进行任何训练。</translation>
    </message>
    <message>
        <source>Read or send your files. Others see this computer&apos;s Internet address and its speed.</source>
        <translation>读取或发送你的文件。他人只能看到这台电脑的互联网地址和速度。</translation>
    </message>
    <message>
        <source>Run programs that others send. Computers exchange numbers, and nothing else.</source>
        <translation>运行他人发送的程序。电脑之间只交换数值。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Gallery</source>
        <translation>图库</translation>
    </message>
    <message>
        <source>My contribution</source>
        <translation>我的贡献</translation>
    </message>
    <message>
        <source>Leaderboard</source>
        <translation>排行榜</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>首选项</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
</context>
<context>
    <name>_Entry</name>
    <message>
        <source>{page} (Ctrl+{number})</source>
        <translation>{page} (Ctrl+{number})</translation>
    </message>
</context>
<context>
    <name>_PeerId</name>
    <message>
        <source>Copy the peer ID</source>
        <translation>复制节点 ID</translation>
    </message>
    <message>
        <source>Peer ID of this computer</source>
        <translation>这台电脑的节点 ID</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>_Pinned</name>
    <message>
        <source>Your row</source>
        <translation>你的行</translation>
    </message>
</context>
<context>
    <name>_Tag</name>
    <message>
        <source>Remove {name}</source>
        <translation>移除 {name}</translation>
    </message>
</context>
</TS>
