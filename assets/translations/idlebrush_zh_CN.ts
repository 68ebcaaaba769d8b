<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AboutHeader</name>
    <message>
        <source>Website of the run</source>
        <translation>项目的网站</translation>
    </message>
    <message>
        <source>Handbook</source>
        <translation>手册</translation>
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
        <source>Idle computers together train a model that draws pictures or writes text.</source>
        <translation>空闲的计算机一起训练一个能画图或写文字的模型。</translation>
    </message>
</context>
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
        <source>This computer cannot train yet</source>
        <translation>这台电脑还不能训练</translation>
    </message>
    <message>
        <source>Waiting: the download of the packages for training is paused</source>
        <translation>等待中：训练所需软件包的下载已暂停</translation>
    </message>
    <message>
        <source>Waiting: the packages for training are being installed</source>
        <translation>等待中：正在安装训练所需的软件包</translation>
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
        <source>Waiting: downloading the earlier checkpoint from which the run continues</source>
        <translation>等待中：正在下载项目将要继续的较早检查点</translation>
    </message>
    <message>
        <source>Waiting: no other computer has sent the state from which the run continues</source>
        <translation>等待中：还没有其他计算机发送项目继续所需的状态</translation>
    </message>
    <message>
        <source>Waiting: other computers are ahead, and none of them can send its state to this one</source>
        <translation>等待中：其他计算机已经领先，但它们都无法把状态发送给这台计算机</translation>
    </message>
    <message>
        <source>Waiting: no computer of this run accepts connections</source>
        <translation>等待中：此项目中没有计算机接受连接</translation>
    </message>
    <message>
        <source>Waiting: the other computers of this run cannot be reached</source>
        <translation>等待中：无法连接到此项目的其他计算机</translation>
    </message>
    <message>
        <source>Waiting: most computers at this epoch do not answer, so it cannot be agreed on</source>
        <translation>正在等待：此轮次的大多数计算机没有响应，因此无法达成一致</translation>
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
    <name>AddComputerDialog</name>
    <message>
        <source>Add a computer</source>
        <translation>添加电脑</translation>
    </message>
    <message>
        <source>On the other computer, open My computers and choose “Let another computer control this one…”. It shows its address and a code.</source>
        <translation>在另一台电脑上打开“我的电脑”，选择“让另一台电脑控制这台电脑…”。它会显示其地址和一个代码。</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>192.168.1.7:47320</source>
        <translation>192.168.1.7:47320</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>ABCD-2345</source>
        <translation>ABCD-2345</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>添加(&amp;A)</translation>
    </message>
    <message>
        <source>Pairing…</source>
        <translation>正在配对…</translation>
    </message>
</context>
<context>
    <name>AlbumCard</name>
    <message>
        <source>Use this prompt again</source>
        <translation>再次使用此提示词</translation>
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
        <source>All pictures were kept because they could not be ranked. {reason}</source>
        <extracomment>{reason} is a whole English sentence.</extracomment>
        <translation>图片无法评分，因此已全部保留。{reason}</translation>
    </message>
    <message>
        <source>the model that comes with Idlebrush, epoch {epoch} of {run}</source>
        <translation>Idlebrush 附带的模型，{run} 的第 {epoch} 轮</translation>
    </message>
    <message>
        <source>epoch {epoch} of {run}</source>
        <extracomment>{run} is the title of a run.</extracomment>
        <translation>{run} 的第 {epoch} 轮</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
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
        <source>Most likely codes</source>
        <translation>最可能的编码</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>引导</translation>
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
        <source>{number} {currency}</source>
        <extracomment>An amount of money, such as &quot;1.25 EUR&quot;.</extracomment>
        <translation>{number}&#xa0;{currency}</translation>
    </message>
    <message>
        <source>{number} g</source>
        <translation>{number}&#xa0;g</translation>
    </message>
    <message>
        <source>{number} kg</source>
        <translation>{number}&#xa0;kg</translation>
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
        <source>Idlebrush notifies you when you are signed out, when something needs your attention, when you reach your best rank, and when a run is complete.</source>
        <translation>当你被退出登录、有事情需要处理、排名创下新高或项目完成时，Idlebrush 会通知你。</translation>
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
        <source>This applies if the desktop has a system tray.</source>
        <translation>仅在桌面有托盘时有效。</translation>
    </message>
    <message>
        <source>When you close the window</source>
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
        <source>Training can continue in the background.</source>
        <translation>训练可以在后台继续。</translation>
    </message>
    <message>
        <source>When you quit the app</source>
        <translation>退出应用时</translation>
    </message>
</context>
<context>
    <name>BadgeWidget</name>
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
        <source>Contributed %Ln hour(s) of computing time</source>
        <translation>
            <numerusform>已贡献 %Ln 小时的计算时间</numerusform>
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
        <source>Thirty nights</source>
        <translation>三十个夜晚</translation>
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
        <source>%Ln value(s) from {start} to {end}. The highest is {high} at {best}. Use the arrow keys to read single values.</source>
        <translation>
            <numerusform>从 {start} 到 {end} 共 %Ln 个数值。最高为 {high}，位于 {best}。用方向键逐个读取。</numerusform>
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
        <source>Computing time</source>
        <translation>计算时间</translation>
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
    <name>CalendarCard</name>
    <message>
        <source>The last 12 months</source>
        <translation>最近 12 个月</translation>
    </message>
    <message>
        <source>Measure of the days</source>
        <translation>每天的统计指标</translation>
    </message>
</context>
<context>
    <name>CalendarGrid</name>
    <message>
        <source>The last 12 months</source>
        <translation>最近 12 个月</translation>
    </message>
    <message>
        <source>Use the arrow keys to read single days.</source>
        <translation>用方向键逐日读取。</translation>
    </message>
</context>
<context>
    <name>CandidatePanel</name>
    <message>
        <source>Speed test</source>
        <translation>速度测试</translation>
    </message>
    <message>
        <source>Measure the speed</source>
        <translation>测量速度</translation>
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
        <source>What is shown here comes from the run itself. If you do not expect that, ask the keeper of the list.</source>
        <translation>这里显示的内容来自项目本身。如果与你的预期不符，请询问列表的维护者。</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>再次测量</translation>
    </message>
</context>
<context>
    <name>ChartCard</name>
    <message>
        <source>Over time</source>
        <translation>随时间变化</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>统计指标</translation>
    </message>
</context>
<context>
    <name>CodePanel</name>
    <message>
        <source>Enter this code on that page:</source>
        <translation>在该页面输入此代码：</translation>
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
        <source>Continue in your browser at {address}.</source>
        <translation>请在浏览器中的 {address} 页面继续。</translation>
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
    <name>ComputerCard</name>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>暂停一会儿</translation>
    </message>
    <message>
        <source>Train always</source>
        <translation>始终训练</translation>
    </message>
    <message>
        <source>According to its preferences</source>
        <translation>按它的首选项</translation>
    </message>
    <message>
        <source>Never train</source>
        <translation>从不训练</translation>
    </message>
    <message>
        <source>Remove this computer…</source>
        <translation>移除这台电脑…</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>{action}: {name}</source>
        <extracomment>{action} is the text of a button, {name} the name of a computer.</extracomment>
        <translation>{action}：{name}</translation>
    </message>
    <message>
        <source>When to train</source>
        <translation>何时训练</translation>
    </message>
</context>
<context>
    <name>Computers</name>
    <message>
        <source>This computer</source>
        <translation>这台电脑</translation>
    </message>
    <message>
        <source>{name} (this computer)</source>
        <extracomment>{name} is the name of this computer.</extracomment>
        <translation>{name}（这台电脑）</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background</source>
        <translation>Idlebrush 未在后台运行</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Not reached since {moment}</source>
        <translation>自 {moment} 起无法连接</translation>
    </message>
    <message>
        <source>Last seen {moment}: {state}</source>
        <extracomment>{state} is what the computer did then, such as &quot;Training&quot;.</extracomment>
        <translation>上次连接 {moment}：{state}</translation>
    </message>
    <message>
        <source>Epoch {epoch}</source>
        <translation>第 {epoch} 轮</translation>
    </message>
    <message>
        <source>Trained for {percent} of today</source>
        <translation>今天有 {percent} 的时间在训练</translation>
    </message>
    <message>
        <source>{name}, connected from {address}</source>
        <extracomment>{name} is a computer, {address} its address in the network.</extracomment>
        <translation>{name}，从 {address} 连接</translation>
    </message>
    <message>
        <source>Off: no other computer can see or control this one. Turning it on opens a port for paired computers alone.</source>
        <translation>关闭：其他电脑都不能查看或控制这台电脑。开启后会打开一个端口，仅供已配对的电脑使用。</translation>
    </message>
    <message>
        <source>On, but no other computer is paired yet.</source>
        <translation>已开启，但还没有配对其他电脑。</translation>
    </message>
    <message>
        <source>These computers can see what this one does, pause and resume it, and change its preferences:</source>
        <translation>这些电脑可以查看这台电脑在做什么、暂停和继续训练，并更改其首选项：</translation>
    </message>
    <message>
        <source>Valid for {duration}</source>
        <translation>还有 {duration} 有效</translation>
    </message>
    <message>
        <source>{name} can control this computer from now on.</source>
        <translation>{name} 从现在起可以控制这台电脑。</translation>
    </message>
    <message>
        <source>The code was wrong too often. No computer was paired.</source>
        <translation>代码输错次数过多。没有配对任何电脑。</translation>
    </message>
    <message>
        <source>The code has expired. No computer was paired.</source>
        <translation>代码已过期。没有配对任何电脑。</translation>
    </message>
    <message>
        <source>The code was withdrawn.</source>
        <translation>代码已撤回。</translation>
    </message>
</context>
<context>
    <name>ComputersPage</name>
    <message>
        <source>Add a computer…</source>
        <translation>添加电脑…</translation>
    </message>
    <message>
        <source>{name} can be controlled from this computer.</source>
        <extracomment>{name} is the name of a computer.</extracomment>
        <translation>可以从这台计算机控制 {name}。</translation>
    </message>
    <message>
        <source>Remove {name}?</source>
        <extracomment>{name} is the name of a computer.</extracomment>
        <translation>移除 {name}？</translation>
    </message>
    <message>
        <source>This computer can no longer control it. It goes on as it does now.</source>
        <translation>这台电脑将不能再控制它。它会照现在的样子继续运行。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>It can no longer control this computer. If it is connected, that ends at once.</source>
        <translation>它将不能再控制这台电脑。如果它已连接，连接会立即断开。</translation>
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
        <source>Next</source>
        <translation>下一步</translation>
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
        <source>This is what Idlebrush does if you agree.</source>
        <translation>如果你同意，Idlebrush 会做以下事情。</translation>
    </message>
    <message>
        <source>I have compared the key {key} with the one that the organiser published.</source>
        <extracomment>{key} is a row of letters and digits.</extracomment>
        <translation>我已将密钥 {key} 与组织者公布的密钥核对。</translation>
    </message>
    <message>
        <source>This computer trains when you are away</source>
        <translation>这台电脑会在你离开时训练</translation>
    </message>
    <message>
        <source>You have joined the run</source>
        <translation>你已加入项目</translation>
    </message>
    <message>
        <source>Before this computer can train, one more download is needed.</source>
        <translation>在这台电脑可以训练之前，还需要一次下载。</translation>
    </message>
    <message>
        <source>Setup is complete. Idlebrush stays in the system tray. Open it to watch the pictures improve.</source>
        <translation>设置完成。Idlebrush 会留在系统托盘中。打开它就能看到图片越来越好。</translation>
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
        <source>Period</source>
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
        <source>Runs shown</source>
        <translation>显示的项目</translation>
    </message>
    <message>
        <source>Your contribution counts from the first epoch in which this computer takes part.</source>
        <translation>贡献从这台电脑参与的第一轮开始统计。</translation>
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
    <message>
        <source>{samples}, {time}</source>
        <extracomment>Samples and computing time of one day, such as &quot;1,204 samples, 2 h 15 min&quot;.</extracomment>
        <translation>{samples}，{time}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s) with a contribution.</source>
        <translation>
            <numerusform>%Ln 天有贡献。</numerusform>
        </translation>
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
        <source>Since you started</source>
        <translation>自你开始以来</translation>
    </message>
    <message>
        <source>Computing time</source>
        <translation>计算时间</translation>
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
        <source>Cost of the energy</source>
        <translation>能耗的费用</translation>
    </message>
    <message>
        <source>CO2 of the energy</source>
        <translation>能耗的 CO2 排放</translation>
    </message>
    <message>
        <source>Contribute on two consecutive days to start a streak.</source>
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
    <name>ControlCard</name>
    <message>
        <source>Control of this computer</source>
        <translation>对这台电脑的控制</translation>
    </message>
    <message>
        <source>Let paired computers control this one</source>
        <translation>允许已配对的电脑控制这台电脑</translation>
    </message>
    <message>
        <source>Let another computer control this one…</source>
        <translation>让另一台电脑控制这台电脑…</translation>
    </message>
    <message>
        <source>Key of this computer: {fingerprint}</source>
        <extracomment>{fingerprint} is such as &quot;ftze-jazc-ug7v-7g6c-4lbn-zhtv&quot;.</extracomment>
        <translation>这台电脑的密钥：{fingerprint}</translation>
    </message>
    <message>
        <source>Remove {name}…</source>
        <extracomment>{name} is the name of a computer.</extracomment>
        <translation>移除 {name}…</translation>
    </message>
</context>
<context>
    <name>EmbeddedPanel</name>
    <message>
        <source>Try it with a swarm</source>
        <translation>用一个群组来试试</translation>
    </message>
    <message>
        <source>This run learns in minutes rather than months. It learns things, colours, numbers and places, and to combine them in pictures that it never saw, such as a fox on a green square. No other computer takes part, and no data leaves this computer.</source>
        <translation>此项目只需几分钟而不是几个月。它学习事物、颜色、数量和位置，并把它们组合成从未见过的图片，例如绿色方块上的狐狸。没有其他电脑参与，数据不会离开这台电脑。</translation>
    </message>
    <message>
        <source>On Windows, a swarm on this computer is not possible yet.</source>
        <translation>在 Windows 上，这台电脑还不能运行群组。</translation>
    </message>
    <message>
        <source>A swarm on this computer is possible once the packages for training are installed.</source>
        <translation>安装训练所需的软件包之后，这台电脑才能运行群组。</translation>
    </message>
    <message>
        <source>A swarm on this computer needs a second processor core.</source>
        <translation>这台电脑上的群组需要第二个处理器核心。</translation>
    </message>
    <message>
        <source>A swarm on this computer needs more RAM than is free now.</source>
        <translation>这台电脑上的群组需要比目前空闲更多的内存。</translation>
    </message>
    <message>
        <source>This computer then runs what an organiser runs: a coordinator with a website and a leaderboard, and a second computer&apos;s trainer. All of it stays here, and you can remove it at any time.</source>
        <translation>这台电脑会运行组织者所运行的一切：带有网站和排行榜的协调者，以及第二台电脑的训练器。一切都留在这里，您可以随时移除。</translation>
    </message>
</context>
<context>
    <name>EpochCard</name>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>The swarm&apos;s progress appears here once training has started.</source>
        <translation>训练开始后，这里会显示群组的进度。</translation>
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
    <name>ExtentControl</name>
    <message>
        <source>Simple</source>
        <translation>精简</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Which preferences to show</source>
        <translation>显示哪些首选项</translation>
    </message>
</context>
<context>
    <name>FilePanel</name>
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
        <source>Descriptions of runs (*.idlebrush *.toml)</source>
        <translation>项目的描述文件 (*.idlebrush *.toml)</translation>
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
        <source>This text is too long for a token. Copy only the token.</source>
        <translation>此文本对令牌来说太长。请只复制令牌。</translation>
    </message>
    <message>
        <source>This text contains characters that a token cannot contain. Copy only the token.</source>
        <translation>此文本含有令牌不会包含的字符。请只复制令牌。</translation>
    </message>
    <message>
        <source>Your sign-in is stored in this computer&apos;s keyring.</source>
        <translation>你的登录信息保存在这台电脑的密钥环中。</translation>
    </message>
    <message>
        <source>Your sign-in is stored until Idlebrush quits.</source>
        <translation>你的登录信息保留到 Idlebrush 退出为止。</translation>
    </message>
    <message>
        <source>Your sign-in is stored in a file that only you can read.</source>
        <translation>你的登录信息保存在只有你能读取的文件中。</translation>
    </message>
    <message>
        <source>This sign-in has expired.</source>
        <translation>此次登录已过期。</translation>
    </message>
    <message>
        <source>Valid for another {time}.</source>
        <extracomment>{time} is such as &quot;9 min 30 s&quot;.</extracomment>
        <translation>还有 {time} 有效。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>项目</translation>
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
        <source>At most about {size} in each direction for the updates that the run has left ({updates}).</source>
        <translation>在项目剩余的更新（{updates} 次）中，每个方向最多约 {size}。</translation>
    </message>
    <message>
        <source>About {size} in each direction for the updates that the run has left ({updates}).</source>
        <translation>在项目剩余的更新（{updates} 次）中，每个方向约 {size}。</translation>
    </message>
    <message>
        <source>At most about {size} in each direction per day of uninterrupted training.</source>
        <translation>不间断训练一天，每个方向最多约 {size}。</translation>
    </message>
    <message>
        <source>About {size} in each direction per day of uninterrupted training.</source>
        <translation>不间断训练一天，每个方向约 {size}。</translation>
    </message>
    <message>
        <source>This is for {computers} computers and an update every {pace}: the newest pace of the run, as its website reports it, with this computer added.</source>
        <extracomment>{pace} is a duration such as &quot;15 s&quot;; there are two computers at least.</extracomment>
        <translation>这是按 {computers} 台电脑、每 {pace} 更新一次计算的：项目网站报告的最新速度，并加上这台电脑。</translation>
    </message>
    <message>
        <source>This is for {computers} computers and an update every {pace}. The run&apos;s rules allow no faster pace.</source>
        <translation>这是按 {computers} 台电脑、每 {pace} 更新一次计算的。项目规则不允许更快。</translation>
    </message>
    <message>
        <source>This is for {computers} computers like this one, with an update every {pace}. The run&apos;s real pace is not known: it is more if the run is faster, and less if it is slower.</source>
        <translation>这是按 {computers} 台与此类似的电脑、每 {pace} 更新一次计算的。项目的实际速度未知：如果更快，流量就更多；如果更慢，就更少。</translation>
    </message>
    <message>
        <source>This is for {computers} computers and an update every {pace}. The run&apos;s real pace is not known: it is more if the run is faster, and less if it is slower.</source>
        <translation>这是按 {computers} 台电脑、每 {pace} 更新一次计算的。项目的实际速度未知：如果更快，流量就更多；如果更慢，就更少。</translation>
    </message>
    <message>
        <source>You join this run in addition to {titles}. The runs take turns.</source>
        <extracomment>{titles} are the names of runs, with commas between them.</extracomment>
        <translation>你将在 {titles} 之外加入此项目。各项目轮流训练。</translation>
    </message>
    <message>
        <source>In addition</source>
        <translation>另外加入</translation>
    </message>
    <message>
        <source>You can pause or stop training at any time from the tray icon.</source>
        <translation>你可以随时通过托盘图标暂停或停止训练。</translation>
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
        <source>Downloading the run&apos;s files: {share}, {size} left.</source>
        <extracomment>{share} is such as &quot;42%&quot;, {size} such as &quot;1.2 GB&quot;.</extracomment>
        <translation>正在下载项目文件：{share}，还剩 {size}。</translation>
    </message>
    <message>
        <source>Leave the setup for now?</source>
        <translation>暂时退出设置？</translation>
    </message>
    <message>
        <source>Training starts only after you join a run. You can join one later from the window.</source>
        <translation>加入项目之后才会开始训练。你可以稍后在窗口中加入。</translation>
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
        <source>its organiser</source>
        <translation>组织者</translation>
    </message>
    <message>
        <source>its title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>who may join</source>
        <translation>谁可以加入</translation>
    </message>
    <message>
        <source>the size of its model</source>
        <translation>模型的大小</translation>
    </message>
    <message>
        <source>its traffic</source>
        <translation>流量</translation>
    </message>
    <message>
        <source>the memory that it needs</source>
        <translation>所需的内存</translation>
    </message>
    <message>
        <source>its download</source>
        <translation>下载量</translation>
    </message>
    <message>
        <source>The run says otherwise than the list about {subjects}.</source>
        <extracomment>{subjects} is a list such as &quot;its title, who may join and its traffic&quot;.</extracomment>
        <translation>项目自身的信息与列表不一致：{subjects}。</translation>
    </message>
    <message>
        <source>This run comes with Idlebrush and trains on this computer only.</source>
        <translation>此项目随 Idlebrush 提供，只在这台电脑上训练。</translation>
    </message>
    <message>
        <source>This run has no website. Its key is {key}.</source>
        <translation>此项目没有网站。其密钥为 {key}。</translation>
    </message>
    <message>
        <source>{where}, with the key {key}</source>
        <extracomment>{where} is a website, {key} a row of letters and digits.</extracomment>
        <translation>{where}，密钥为 {key}</translation>
    </message>
    <message>
        <source>Nothing. All files of the run are already on this computer.</source>
        <translation>无。项目的所有文件都已在这台电脑上。</translation>
    </message>
    <message>
        <source>{size}, once, before training starts.</source>
        <translation>{size}，仅在训练开始前下载一次。</translation>
    </message>
    <message>
        <source>None. No other computer takes part.</source>
        <translation>无。没有其他电脑参与。</translation>
    </message>
    <message>
        <source>None. The run has made all of its updates.</source>
        <translation>无。该项目已完成所有更新。</translation>
    </message>
    <message>
        <source>If other computers can connect to this one, it can be up to {size}, and the model&apos;s state for each new computer that fetches it from here.</source>
        <translation>如果其他电脑能连接到这台电脑，则最多可达 {size}，此外还要向每台从这里获取模型状态的新电脑发送该状态。</translation>
    </message>
    <message>
        <source>You can set limits in the preferences.</source>
        <translation>你可以在首选项中设置上限。</translation>
    </message>
    <message>
        <source>At first, this computer fetches the model&apos;s state from others: {size}.</source>
        <translation>开始时，这台电脑会从其他电脑获取模型状态：{size}。</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>No address of the run answers. You can join, but this computer trains only once one of them answers. Check the Internet connection. If it works, ask the organiser whether the run continues.</source>
        <translation>此项目的地址均无响应。你可以加入，但要等其中一个有响应后，这台电脑才会训练。请检查互联网连接。如果连接正常，请询问组织者此项目是否仍在进行。</translation>
    </message>
    <message>
        <source>This computer reaches the run over {protocols}. Whether other computers can connect to this one is found out when training starts.</source>
        <extracomment>{protocols} is &quot;IPv4&quot;, &quot;IPv6&quot;, or both.</extracomment>
        <translation>这台电脑可通过 {protocols} 连接到此项目。其他电脑能否连接到这台电脑，将在训练开始时得知。</translation>
    </message>
    <message>
        <source>IPv4 and IPv6</source>
        <translation>IPv4 和 IPv6</translation>
    </message>
    <message>
        <source>Nothing. None of your files is read or sent.</source>
        <translation>无。不会读取或发送你的任何文件。</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address, its training speed, and your user name, which you can hide on the run&apos;s pages. None of your files is read or sent.</source>
        <translation>这台电脑的互联网地址、训练速度，以及你的用户名（你可以在项目的页面上隐藏它）。不会读取或发送你的任何文件。</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address and its training speed, under a random name. None of your files is read or sent.</source>
        <translation>这台电脑的互联网地址和训练速度，使用随机名称。不会读取或发送你的任何文件。</translation>
    </message>
    <message>
        <source>Loading the run for the speed test. This can take a while on a busy computer…</source>
        <translation>正在加载项目以进行速度测试。电脑繁忙时可能需要一些时间…</translation>
    </message>
    <message>
        <source>Measuring the training speed of this computer…</source>
        <translation>正在测量这台电脑的训练速度…</translation>
    </message>
    <message>
        <source>Measure how fast this computer trains. The test takes a minute.</source>
        <translation>测量这台电脑的训练速度。测试需要一分钟。</translation>
    </message>
    <message>
        <source>About {rate} samples per hour. The model is updated every {duration} with the samples of all computers together.</source>
        <extracomment>{rate} is a number, {duration} is such as &quot;4 min&quot;; samples are pictures with their descriptions.</extracomment>
        <translation>每小时约 {rate} 个样本。模型每隔 {duration} 用所有电脑的样本共同更新一次。</translation>
    </message>
    <message>
        <source>About {rate} samples per hour. Each update of the model needs {target} samples from all computers together.</source>
        <extracomment>{rate} is a number; the model learns from samples: pictures with their descriptions.</extracomment>
        <translation>每小时约 {rate} 个样本。模型每次更新需要所有电脑共同完成 {target} 个样本。</translation>
    </message>
    <message>
        <source>This run admits members of {organisation} on the Hugging Face Hub.</source>
        <translation>此项目接纳 Hugging Face Hub 上 {organisation} 的成员。</translation>
    </message>
    <message>
        <source>This run admits people on the organiser&apos;s list.</source>
        <translation>此项目接纳组织者列入名单的人。</translation>
    </message>
    <message>
        <source>This run admits people with an invitation from the organiser.</source>
        <translation>此项目接纳持有组织者邀请的人。</translation>
    </message>
    <message>
        <source>This run admits anyone who signs in with the Hugging Face Hub.</source>
        <translation>此项目接纳任何通过 Hugging Face Hub 登录的人。</translation>
    </message>
    <message>
        <source>You sign in at {hub}. The sign-in proves your identity to {coordinator} only. The organiser learns your user name and gets no access to your account.</source>
        <translation>你在 {hub} 登录。登录只向 {coordinator} 证明你的身份。组织者会得知你的用户名，但无法访问你的账户。</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background.</source>
        <translation>Idlebrush 未在后台运行。</translation>
    </message>
    <message>
        <source>The sign-in is still in progress.</source>
        <translation>登录仍在进行中。</translation>
    </message>
    <message>
        <source>Choose a run first.</source>
        <translation>请先选择一个项目。</translation>
    </message>
    <message>
        <source>Inspecting the run. One moment.</source>
        <translation>正在检查该项目，请稍候。</translation>
    </message>
    <message>
        <source>Choose a run that you can join.</source>
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
        <source>Half of the time (cooler and quieter)</source>
        <translation>一半的时间（更凉爽更安静）</translation>
    </message>
    <message>
        <source>A quarter of the time (hardly noticeable)</source>
        <translation>四分之一的时间（几乎察觉不到）</translation>
    </message>
    <message>
        <source>Custom: {value}</source>
        <extracomment>{value} is what was set elsewhere, such as &quot;mon-fri 18:00-08:00&quot;.</extracomment>
        <translation>自定义：{value}</translation>
    </message>
    <message>
        <source>This computer trains whenever your preferences allow it.</source>
        <translation>只要你的首选项允许，这台电脑就会训练。</translation>
    </message>
    <message>
        <source>This computer always trains, even while you use it.</source>
        <translation>这台电脑始终训练，你使用时也不例外。</translation>
    </message>
    <message>
        <source>This computer does not train until you allow it.</source>
        <translation>在你允许之前，这台电脑不会训练。</translation>
    </message>
    <message>
        <source>This computer trains after {idle} without input. Hours: {hours}.</source>
        <extracomment>{idle} is such as &quot;3 min&quot;; {hours} is such as &quot;At any hour&quot;, &quot;At night&quot;.</extracomment>
        <translation>这台电脑闲置 {idle}后开始训练。时段：{hours}。</translation>
    </message>
    <message>
        <source>Training pauses only when the computer is hot or low on battery or memory.</source>
        <translation>训练仅在电脑过热、电量不足或内存不足时暂停。</translation>
    </message>
    <message>
        <source>This computer also trains on battery.</source>
        <translation>这台电脑使用电池时也训练。</translation>
    </message>
    <message>
        <source>Training pauses on battery, during games and videos, and when the computer is hot.</source>
        <translation>使用电池、游戏和视频期间以及电脑过热时，训练会暂停。</translation>
    </message>
    <message>
        <source>Training uses at most {share} of the time.</source>
        <extracomment>{share} is such as &quot;50%&quot;.</extracomment>
        <translation>训练最多使用 {share} 的时间。</translation>
    </message>
    <message>
        <source>Idlebrush starts when you log in.</source>
        <translation>你登录系统时，Idlebrush 会启动。</translation>
    </message>
    <message>
        <source>Idlebrush starts when you open it.</source>
        <translation>你打开 Idlebrush 时，它会启动。</translation>
    </message>
    <message>
        <source>Welcome to Idlebrush</source>
        <translation>欢迎使用 Idlebrush</translation>
    </message>
    <message>
        <source>Packages for training</source>
        <translation>训练所需的软件包</translation>
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
    <name>FoundRuns</name>
    <message>
        <source>This run is over.</source>
        <translation>这个项目已经结束。</translation>
    </message>
    <message>
        <source>The graphics card of this computer can train it.</source>
        <translation>这台电脑的显卡可以训练它。</translation>
    </message>
    <message>
        <source>The processor of this computer can train it.</source>
        <translation>这台电脑的处理器可以训练它。</translation>
    </message>
    <message>
        <source>It needs more memory than this computer has free.</source>
        <translation>它需要的内存比这台电脑空闲的多。</translation>
    </message>
    <message>
        <source>no sign-in needed</source>
        <translation>无需登录</translation>
    </message>
    <message>
        <source>for anyone with a Hugging Face account</source>
        <translation>面向所有拥有 Hugging Face 账户的人</translation>
    </message>
    <message>
        <source>for members of an organisation</source>
        <translation>面向某个组织的成员</translation>
    </message>
    <message>
        <source>for users on the organiser&apos;s list</source>
        <translation>面向组织者名单上的用户</translation>
    </message>
    <message>
        <source>by invitation</source>
        <translation>凭邀请加入</translation>
    </message>
    <message>
        <source>{size} a day each way</source>
        <extracomment>{size} is an amount of data such as &quot;3 GB&quot;.</extracomment>
        <translation>每天每个方向 {size}</translation>
    </message>
    <message>
        <source>volunteers: {count}</source>
        <extracomment>{count} is a number.</extracomment>
        <translation>志愿者：{count}</translation>
    </message>
    <message>
        <source>Show the run</source>
        <translation>查看项目</translation>
    </message>
    <message>
        <source>Show {run}</source>
        <extracomment>{run} is the title of a run.</extracomment>
        <translation>查看 {run}</translation>
    </message>
    <message>
        <source>Reading the lists…</source>
        <translation>正在读取列表…</translation>
    </message>
    <message>
        <source>Lists of runs are kept by people whom you trust, such as a club or a website. Add one by its address and the key that its keeper publishes. You see each run before you join it.</source>
        <translation>项目列表由您信任的人维护，例如一个社团或一个网站。请用列表的地址和维护者公布的密钥添加列表。加入之前，您会先看到每个项目的详情。</translation>
    </message>
    <message>
        <source>There is no run on your lists.</source>
        <translation>您的列表上没有项目。</translation>
    </message>
    <message>
        <source>This is what the lists say. The run&apos;s own facts follow before you join.</source>
        <translation>这是列表上的说法。加入之前会显示项目自己的信息。</translation>
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
        <source>Pictures shown</source>
        <translation>显示的图片</translation>
    </message>
</context>
<context>
    <name>GatePanel</name>
    <message>
        <source>Only members can train this run</source>
        <translation>只有成员可以参与此项目</translation>
    </message>
    <message>
        <source>Invitation code</source>
        <translation>邀请码</translation>
    </message>
    <message>
        <source>Sign in with the browser</source>
        <translation>用浏览器登录</translation>
    </message>
    <message>
        <source>Use a code instead</source>
        <translation>改用代码</translation>
    </message>
    <message>
        <source>You are admitted to this run.</source>
        <translation>你已获准加入此项目。</translation>
    </message>
    <message>
        <source>Only until Idlebrush quits</source>
        <translation>仅到 Idlebrush 退出为止</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot store your membership</source>
        <translation>这台电脑的密钥环无法保存你的成员资格</translation>
    </message>
    <message>
        <source>Unlock the keyring and try again, or sign in only until Idlebrush quits.</source>
        <translation>请解锁密钥环后重试，或仅登录到 Idlebrush 退出为止。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
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
    <name>HiddenChangesNote</name>
    <message numerus="yes">
        <source>%Ln more setting(s) differ from the default</source>
        <translation>
            <numerusform>另有 %Ln 项设置与默认值不同</numerusform>
        </translation>
    </message>
    <message>
        <source>Show them</source>
        <translation>显示这些设置</translation>
    </message>
</context>
<context>
    <name>HoursEditor</name>
    <message>
        <source>Drag to select hours, or move with the arrow keys and press Space. You can also type the hours into the field.</source>
        <translation>拖动即可选择时段，或用方向键移动并按空格键。也可以在输入框中输入时段。</translation>
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
    <name>JoinedRunRow</name>
    <message>
        <source>Share: </source>
        <translation>份额： </translation>
    </message>
    <message>
        <source>Leave…</source>
        <translation>退出…</translation>
    </message>
    <message>
        <source>Share of {title}</source>
        <translation>{title} 的份额</translation>
    </message>
    <message>
        <source>Its part of the time is its share divided by the sum of all shares.</source>
        <translation>它所占的时间等于它的份额除以所有份额之和。</translation>
    </message>
    <message>
        <source>Leave {title}</source>
        <translation>退出 {title}</translation>
    </message>
</context>
<context>
    <name>JoinedRuns</name>
    <message>
        <source>It has its turn.</source>
        <translation>现在轮到它。</translation>
    </message>
    <message>
        <source>It waits for its turn.</source>
        <translation>正在等待轮到它。</translation>
    </message>
    <message>
        <source>It trains only while no other run can.</source>
        <translation>只有在其他项目都不能训练时，它才训练。</translation>
    </message>
    <message>
        <source>It has done all of its epochs.</source>
        <translation>它已完成所有轮次。</translation>
    </message>
    <message>
        <source>It needs a newer version of Idlebrush.</source>
        <translation>它需要更新版本的 Idlebrush。</translation>
    </message>
    <message>
        <source>It does not admit you, or asks you to sign in.</source>
        <translation>它不接纳你，或要求你登录。</translation>
    </message>
    <message>
        <source>It needs more memory than training may use.</source>
        <translation>它需要的内存超过了训练可用的内存。</translation>
    </message>
    <message>
        <source>Its trainer fails again and again.</source>
        <translation>它的训练程序反复失败。</translation>
    </message>
    <message>
        <source>Its other computers do not answer.</source>
        <translation>它的其他电脑没有响应。</translation>
    </message>
    <message>
        <source>Its files are missing.</source>
        <translation>它的文件缺失。</translation>
    </message>
    <message>
        <source>Next attempt: {moment}.</source>
        <extracomment>{moment} is a time of the day, or a day and a time.</extracomment>
        <translation>下次尝试：{moment}。</translation>
    </message>
    <message>
        <source>{part} of the time by its share · {week} of the last 7 days · {time} in all</source>
        <extracomment>{part} and {week} are such as &quot;25%&quot;, {time} is such as &quot;3 h 20 min&quot;.</extracomment>
        <translation>按份额占 {part} 的时间 · 最近 7 天占 {week} · 共 {time}</translation>
    </message>
    <message>
        <source>Leave {title}?</source>
        <translation>退出 {title}？</translation>
    </message>
    <message>
        <source>This computer no longer trains it. Its files and what you contributed are kept, and you can join again.</source>
        <translation>这台电脑将不再训练它。它的文件和你的贡献会保留，你可以再次加入。</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>留下</translation>
    </message>
</context>
<context>
    <name>JoinedRunsCard</name>
    <message>
        <source>Your runs</source>
        <translation>你的项目</translation>
    </message>
    <message>
        <source>This computer can train several runs in turns, each for its share of the time.</source>
        <translation>这台电脑可以轮流训练多个项目，每个项目按其份额占用时间。</translation>
    </message>
    <message>
        <source>Join another run</source>
        <translation>加入另一个项目</translation>
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
        <source>Copy prompt and seed</source>
        <translation>复制提示词和种子</translation>
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
        <source>The picture is copied to the clipboard</source>
        <translation>图片已复制到剪贴板</translation>
    </message>
    <message>
        <source>Prompt and seed are copied to the clipboard</source>
        <translation>提示词和种子已复制到剪贴板</translation>
    </message>
</context>
<context>
    <name>LeaderboardPage</name>
    <message>
        <source>Volunteers</source>
        <translation>志愿者</translation>
    </message>
    <message>
        <source>Teams</source>
        <translation>团队</translation>
    </message>
    <message>
        <source>Ranks of</source>
        <translation>排名对象</translation>
    </message>
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
        <source>Period</source>
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
        <source>You are ranked {rank} of {total}.</source>
        <translation>你排在第 {rank} 位，共 {total} 位。</translation>
    </message>
    <message>
        <source>Volunteers so far: {total}. This run has no sign-in, so your row is unknown.</source>
        <translation>目前的志愿者：{total}。此项目无需登录，因此不知道哪一行是你的。</translation>
    </message>
    <message>
        <source>Teams so far: {total}. Join one, and your samples count for it from then on; they stay with it.</source>
        <translation>目前的团队：{total}。加入一个团队，此后你的样本就会计入该团队，并一直归它所有。</translation>
    </message>
    <message>
        <source>Your team {name} is ranked {rank} of {total}.</source>
        <translation>你的团队 {name} 排在第 {rank} 位，共 {total} 位。</translation>
    </message>
    <message>
        <source>You lead it: your page on the website renames it or hands it over.</source>
        <translation>你是队长：可以在网站上你的页面中为团队改名或移交团队。</translation>
    </message>
    <message>
        <source>Samples of yours that are not credited: {count}.</source>
        <translation>你未被计入贡献的样本数：{count}。</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>The leaderboard appears here once Idlebrush runs in the background.</source>
        <translation>Idlebrush 在后台运行后，这里会显示排行榜。</translation>
    </message>
    <message>
        <source>You have not joined a run yet</source>
        <translation>尚未加入任何项目</translation>
    </message>
    <message>
        <source>Join a run to compare your contribution with others.</source>
        <translation>加入项目，即可将你的贡献与他人比较。</translation>
    </message>
    <message>
        <source>This run has no leaderboard</source>
        <translation>此项目没有排行榜</translation>
    </message>
    <message>
        <source>The organiser does not count contributions. This computer counts yours on the page My contribution.</source>
        <translation>组织者不统计贡献。这台电脑在“我的贡献”页面统计你的贡献。</translation>
    </message>
    <message>
        <source>No volunteers yet</source>
        <translation>还没有志愿者</translation>
    </message>
    <message>
        <source>The leaderboard starts with the first completed epoch.</source>
        <translation>排行榜从第一轮完成时开始。</translation>
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
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Licence text</source>
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
        <source>The embedded run: sources</source>
        <translation>内置项目：来源</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>程序库</translation>
    </message>
    <message>
        <source>The app is built with Qt, by the Qt Company and contributors, and with Qt for Python (PySide6). Idlebrush uses both under the GNU Lesser General Public License, version 3. Both are installed as separate files. You may replace them with your own versions and reverse-engineer them to debug your changes.

Licence: https://www.gnu.org/licenses/lgpl-3.0.html
Source code: https://download.qt.io/official_releases/QtForPython/</source>
        <translation>本应用使用 Qt（Qt Company 及贡献者开发）和 Qt for Python (PySide6) 构建。Idlebrush 依据 GNU 宽通用公共许可证第 3 版使用二者。二者均以独立文件安装。你可以用自己的版本替换它们，也可以对其进行逆向工程以调试你的更改。

许可证：https://www.gnu.org/licenses/lgpl-3.0.html
源代码：https://download.qt.io/official_releases/QtForPython/</translation>
    </message>
    <message>
        <source>see the package</source>
        <translation>见其软件包</translation>
    </message>
</context>
<context>
    <name>LineChart</name>
    <message>
        <source>From {first} at {start} to {last} at {end}. The lowest is {low}, the highest {high}. Use the arrow keys to read single values.</source>
        <translation>从 {start} 的 {first} 到 {end} 的 {last}。最低为 {low}，最高为 {high}。用方向键逐个读取。</translation>
    </message>
</context>
<context>
    <name>LinesCard</name>
    <message>
        <source>{button}: {what}</source>
        <extracomment>Of a button such as &quot;Change this&quot;: {what} is what it helps against.</extracomment>
        <translation>{button}：{what}</translation>
    </message>
</context>
<context>
    <name>LinkPanel</name>
    <message>
        <source>Link to the run</source>
        <translation>项目的链接</translation>
    </message>
    <message>
        <source>Show the run</source>
        <translation>查看项目</translation>
    </message>
    <message>
        <source>This is not a link to a run. Links to runs begin with idlebrush: or https://</source>
        <translation>这不是项目的链接。项目的链接以 idlebrush: 或 https:// 开头</translation>
    </message>
</context>
<context>
    <name>ListPanel</name>
    <message>
        <source>Address of a list of runs</source>
        <translation>项目列表的地址</translation>
    </message>
    <message>
        <source>Its key</source>
        <translation>列表的密钥</translation>
    </message>
    <message>
        <source>Key of the list&apos;s keeper</source>
        <translation>列表维护者的密钥</translation>
    </message>
    <message>
        <source>Add this list</source>
        <translation>添加此列表</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>所有项目</translation>
    </message>
    <message>
        <source>Enter the address of the list and the key that its keeper publishes.</source>
        <translation>请输入列表的地址和维护者公布的密钥。</translation>
    </message>
    <message>
        <source>Remove this list</source>
        <translation>移除此列表</translation>
    </message>
    <message>
        <source>Remove {list}</source>
        <extracomment>{list} is the title of a list of runs.</extracomment>
        <translation>移除 {list}</translation>
    </message>
</context>
<context>
    <name>LocalSwarm</name>
    <message>
        <source>It does not run now. Its model and its website are kept.</source>
        <translation>它现在没有运行。它的模型和网站会保留。</translation>
    </message>
    <message>
        <source>Its coordinator is being started.</source>
        <translation>它的协调者正在启动。</translation>
    </message>
    <message>
        <source>It is served by a terminal. This app goes on with it afterwards.</source>
        <translation>它由终端提供。之后本应用会接着运行它。</translation>
    </message>
    <message>
        <source>This computer runs a coordinator with a website and a leaderboard, and a second trainer beside your own. No other computer takes part.</source>
        <translation>这台电脑运行着带有网站和排行榜的协调者，以及您的训练器之外的第二个训练器。没有其他电脑参与。</translation>
    </message>
    <message>
        <source>Stop and remove the swarm on this computer?</source>
        <translation>要停止并移除这台电脑上的群组吗？</translation>
    </message>
    <message>
        <source>Its model, its website and its leaderboard are deleted. Your pictures are kept.</source>
        <translation>它的模型、网站和排行榜会被删除。您的图片会保留。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
</context>
<context>
    <name>LocalSwarmCard</name>
    <message>
        <source>The swarm on this computer</source>
        <translation>这台电脑上的群组</translation>
    </message>
    <message>
        <source>Open its website</source>
        <translation>打开它的网站</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>Stop and remove…</source>
        <translation>停止并移除…</translation>
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
        <source>New lines appear here.</source>
        <translation>新的日志行会显示在这里。</translation>
    </message>
    <message>
        <source>Copies the selected lines, or all lines shown</source>
        <translation>复制选中的行，或显示的所有行</translation>
    </message>
    <message>
        <source>Full text of the selected lines</source>
        <translation>选中行的完整内容</translation>
    </message>
</context>
<context>
    <name>LogTools</name>
    <message>
        <source>Find in the log</source>
        <translation>在日志中查找</translation>
    </message>
    <message>
        <source>Follow new lines</source>
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
        <source>Log file</source>
        <translation>日志文件</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
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
    <name>LogView</name>
    <message>
        <source>Lines of the log</source>
        <translation>日志的行</translation>
    </message>
</context>
<context>
    <name>LossCurve</name>
    <message>
        <source>Loss by epoch</source>
        <translation>各轮的误差（损失）</translation>
    </message>
    <message>
        <source>The curve starts with the swarm&apos;s first epoch.</source>
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
        <source>Now {loss}, at the start {first}</source>
        <translation>现在 {loss}，开始时 {first}</translation>
    </message>
</context>
<context>
    <name>Mosaic</name>
    <message>
        <source>A sunset over the sea in small brush strokes, which emerges from noise</source>
        <translation>由细小笔触画成的海上日落，从噪点中浮现</translation>
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
    <name>NewsCard</name>
    <message>
        <source>News from the organiser</source>
        <translation>组织者的消息</translation>
    </message>
</context>
<context>
    <name>NewsDialog</name>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>What&apos;s new in Idlebrush {version}</source>
        <translation>Idlebrush {version} 的新内容</translation>
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
        <source>The packages for training are not installed.</source>
        <translation>训练所需的软件包尚未安装。</translation>
    </message>
    <message>
        <source>You are ranked {rank} of {of} in “{run}”.</source>
        <translation>你在“{run}”中排名第 {rank}，共 {of} 位。</translation>
    </message>
    <message>
        <source>Your best rank so far</source>
        <translation>你迄今的最佳排名</translation>
    </message>
    <message>
        <source>“{run}” has completed all of its epochs. Open the gallery to see its pictures.</source>
        <translation>“{run}”已完成所有轮次。打开图库查看它的图片。</translation>
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
        <source>Join a run. This computer then helps to train a model whenever you do not need it.</source>
        <translation>加入一个项目。这台电脑就会在你不用它时帮助训练模型。</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>选择项目</translation>
    </message>
    <message>
        <source>This page shows what Idlebrush does once it runs in the background.</source>
        <translation>Idlebrush 在后台运行后，此页面会显示它在做什么。</translation>
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
    <message>
        <source>Show updates</source>
        <translation>查看更新</translation>
    </message>
</context>
<context>
    <name>NowView</name>
    <message>
        <source>Training waits for data {percent} of the time</source>
        <translation>训练有 {percent} 的时间在等待数据</translation>
    </message>
    <message>
        <source>The connection or its speed limit is too slow for this computer.</source>
        <translation>网络连接或其限速对这台电脑来说太慢。</translation>
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
        <source>Samples so far: {gathered}</source>
        <extracomment>{gathered} is a number. The clock ends this epoch, whatever was gathered.</extracomment>
        <translation>目前样本数：{gathered}</translation>
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
        <source>About {duration} left</source>
        <translation>还需约 {duration}</translation>
    </message>
    <message>
        <source>Swarm speed</source>
        <translation>群组的速度</translation>
    </message>
    <message>
        <source>Your speed</source>
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
        <source>%Ln request(s) for pictures in the queue</source>
        <translation>
            <numerusform>队列中有 %Ln 个图片请求</numerusform>
        </translation>
    </message>
    <message>
        <source>How this computer trains</source>
        <translation>这台电脑如何训练</translation>
    </message>
    <message>
        <source>This computer trains on its processor, not on its GPU</source>
        <translation>这台电脑使用处理器而不是 GPU 训练</translation>
    </message>
    <message>
        <source>Its driver keeps it.</source>
        <translation>由其驱动程序保持此上限。</translation>
    </message>
    <message>
        <source>Lower clocks and short breaks between steps keep it on average, because its driver does not let Idlebrush set the limit.</source>
        <translation>由于其驱动程序不允许 Idlebrush 设置上限，通过降低频率和步骤之间的短暂休息使平均功率保持在此上限。</translation>
    </message>
    <message>
        <source>Short breaks between steps keep it on average, because its driver does not let Idlebrush set the limit.</source>
        <translation>由于其驱动程序不允许 Idlebrush 设置上限，通过步骤之间的短暂休息使平均功率保持在此上限。</translation>
    </message>
    <message>
        <source>This GPU reports no limit of which a percentage could be taken. Set the limit in watts.</source>
        <translation>此 GPU 没有报告可用于计算百分比的上限。请以瓦为单位设置上限。</translation>
    </message>
    <message>
        <source>The power of the GPU is not limited</source>
        <translation>GPU 的功率未受限制</translation>
    </message>
    <message>
        <source>The power of the GPU is limited to {watts} W</source>
        <translation>GPU 的功率限制为 {watts}&#xa0;W</translation>
    </message>
    <message numerus="yes">
        <source>On the GPU with %Ln sample(s) at a time, {gpu_memory} of GPU memory and {memory} of RAM.</source>
        <translation>
            <numerusform>在 GPU 上，每次 %Ln 个样本，使用 {gpu_memory} 显存和 {memory} 内存。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>On the processor with %Ln sample(s) at a time and {memory} of RAM.</source>
        <translation>
            <numerusform>在处理器上，每次 %Ln 个样本，使用 {memory} 内存。</numerusform>
        </translation>
    </message>
    <message>
        <source>GPU {index} ({name}) trains</source>
        <translation>GPU {index}（{name}）正在训练</translation>
    </message>
    <message>
        <source>GPU {index} ({name}) is not used: {why}.</source>
        <translation>未使用 GPU {index}（{name}）：{why}。</translation>
    </message>
    <message>
        <source>your preferences leave it out</source>
        <translation>你的首选项排除了它</translation>
    </message>
    <message>
        <source>other programs use it</source>
        <translation>其他程序正在使用它</translation>
    </message>
    <message>
        <source>it has less free memory</source>
        <translation>它的空闲显存较少</translation>
    </message>
    <message>
        <source>it is slower</source>
        <translation>它较慢</translation>
    </message>
    <message>
        <source>it draws the screen</source>
        <translation>它负责屏幕显示</translation>
    </message>
    <message>
        <source>one GPU trains at a time</source>
        <translation>一次只用一个 GPU 训练</translation>
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
</context>
<context>
    <name>OfferDialog</name>
    <message>
        <source>&amp;Look at the other run</source>
        <translation>查看另一个项目(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Stay</source>
        <translation>留下(&amp;S)</translation>
    </message>
    <message>
        <source>No run</source>
        <translation>没有项目</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>The files of {title} are being downloaded, and the link or file leads to another run. Looking at it stops the download. What has arrived is kept.</source>
        <translation>正在下载 {title} 的文件，而该链接或文件指向另一个项目。查看它会停止下载。已下载的部分会保留。</translation>
    </message>
    <message>
        <source>Stop the download?</source>
        <translation>停止下载？</translation>
    </message>
    <message>
        <source>This computer trains {title}, and the link or file leads to another run. Looking at it changes nothing: you decide afterwards. If you join it, this computer trains both in turns.</source>
        <translation>这台电脑正在参与 {title}，而该链接或文件指向另一个项目。查看它不会改变任何设置：由你之后决定。如果你加入它，这台电脑会轮流训练两个项目。</translation>
    </message>
    <message>
        <source>Look at another run?</source>
        <translation>查看另一个项目？</translation>
    </message>
    <message>
        <source>Another run</source>
        <translation>另一个项目</translation>
    </message>
</context>
<context>
    <name>Offers</name>
    <message>
        <source>This computer already trains {title}.</source>
        <translation>这台电脑已在参与 {title}。</translation>
    </message>
</context>
<context>
    <name>Order</name>
    <message>
        <source>The prompt contains characters that cannot be used.</source>
        <translation>提示词中含有无法使用的字符。</translation>
    </message>
    <message>
        <source>Describe in plain words what the picture should show.</source>
        <translation>请用简单的话描述图片要展示什么。</translation>
    </message>
    <message>
        <source>Describe what the pictures should show.</source>
        <translation>请描述图片要展示什么。</translation>
    </message>
    <message>
        <source>The prompt is too long. A few words work best.</source>
        <translation>提示词太长。几个词最合适。</translation>
    </message>
</context>
<context>
    <name>OutcomeCard</name>
    <message>
        <source>What the model writes</source>
        <translation>模型写的内容</translation>
    </message>
    <message>
        <source>See how the model improved</source>
        <translation>查看模型如何进步</translation>
    </message>
    <message>
        <source>All {epochs} epochs are complete</source>
        <translation>全部 {epochs} 轮已完成</translation>
    </message>
    <message>
        <source>Thank you for helping to train “{run}”.</source>
        <translation>感谢你帮助训练“{run}”。</translation>
    </message>
</context>
<context>
    <name>OwnPictures</name>
    <message>
        <source>Show older pictures</source>
        <translation>显示更早的图片</translation>
    </message>
    <message>
        <source>The pictures for “{prompt}” are ready</source>
        <translation>“{prompt}”的图片已画好</translation>
    </message>
    <message>
        <source>No pictures yet</source>
        <translation>还没有图片</translation>
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
        <source>Choose a run. Its model then draws pictures for your prompts.</source>
        <translation>选择一个项目。它的模型会按你的提示词作画。</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>选择项目</translation>
    </message>
    <message>
        <source>The pictures for “{prompt}” could not be drawn</source>
        <translation>无法画出“{prompt}”的图片</translation>
    </message>
    <message>
        <source>Your pictures cannot be read</source>
        <translation>无法读取你的图片</translation>
    </message>
</context>
<context>
    <name>PairingDialog</name>
    <message>
        <source>Let another computer control this one</source>
        <translation>让另一台电脑控制这台电脑</translation>
    </message>
    <message>
        <source>On your other computer, open My computers, choose “Add a computer…”, and enter:</source>
        <translation>在你的另一台电脑上打开“我的电脑”，选择“添加电脑…”，然后输入：</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Code: {code}</source>
        <extracomment>{code} is spelt out by screen readers.</extracomment>
        <translation>代码：{code}</translation>
    </message>
    <message>
        <source>Address of this computer:
{addresses}</source>
        <extracomment>{addresses} are addresses of this computer, one below the other.</extracomment>
        <translation>这台电脑的地址：
{addresses}</translation>
    </message>
</context>
<context>
    <name>PictureViewer</name>
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
    <name>Plan</name>
    <message>
        <source>This run needs more memory than this computer can provide.</source>
        <translation>此项目需要的内存超出这台电脑所能提供的。</translation>
    </message>
    <message>
        <source>Trains on {device} with {gpu_memory} of GPU memory and {memory} of RAM.</source>
        <extracomment>{gpu_memory} and {memory} are such as &quot;5.2 GB&quot;.</extracomment>
        <translation>在 {device} 上训练，使用 {gpu_memory} 显存和 {memory} 内存。</translation>
    </message>
    <message>
        <source>Trains on the processor with {memory} of RAM.</source>
        <translation>在处理器上训练，使用 {memory} 内存。</translation>
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
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>“Always” ignores the settings for your convenience. It still respects the limits that protect the computer and your bill: heat, memory, disk, battery charge, price of electricity, metered connections and the monthly quota.</source>
        <translation>“始终”会忽略为方便你使用而设的选项，但仍遵守保护电脑和控制费用的限制：发热、内存、磁盘、电池电量、电价、按流量计费的连接和每月流量限额。</translation>
    </message>
    <message>
        <source>Hours of the week</source>
        <translation>训练时段</translation>
    </message>
    <message>
        <source>Idle after</source>
        <translation>闲置判定时间</translation>
    </message>
    <message>
        <source>Processor share while in use</source>
        <translation>使用电脑时的处理器占比</translation>
    </message>
    <message>
        <source>GPU share while in use</source>
        <translation>使用电脑时的 GPU 占比</translation>
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
        <source>Lowest battery charge</source>
        <translation>最低电池电量</translation>
    </message>
    <message>
        <source>Highest processor temperature</source>
        <translation>处理器最高温度</translation>
    </message>
    <message>
        <source>Highest GPU temperature</source>
        <translation>GPU 最高温度</translation>
    </message>
    <message>
        <source>Processor load of other programs</source>
        <translation>其他程序占用的处理器</translation>
    </message>
    <message>
        <source>GPU load of other programs</source>
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
        <source>Disk space for runs</source>
        <translation>项目的磁盘空间</translation>
    </message>
    <message>
        <source>Disk space to keep free</source>
        <translation>磁盘保留空间</translation>
    </message>
    <message>
        <source>Memory for training</source>
        <translation>训练的内存</translation>
    </message>
    <message>
        <source>Memory to keep free</source>
        <translation>内存保留空间</translation>
    </message>
    <message>
        <source>GPU memory for training</source>
        <translation>训练的显存</translation>
    </message>
    <message>
        <source>GPU memory for other programs</source>
        <translation>为其他程序保留的显存</translation>
    </message>
    <message>
        <source>Keep memory during pauses for</source>
        <translation>暂停时保留内存的时间</translation>
    </message>
    <message>
        <source>Free GPU memory at every pause</source>
        <translation>每次暂停时释放显存</translation>
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
        <source>Monthly traffic quota</source>
        <translation>每月流量限额</translation>
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
        <source>Training is allowed during these hours of the week, in local time.</source>
        <translation>一周中允许训练的时段，按本地时间。</translation>
    </message>
    <message>
        <source>Change runs after</source>
        <translation>项目轮换间隔</translation>
    </message>
    <message>
        <source>If several runs are joined, another one may take over after this time of training, at the end of an epoch.</source>
        <translation>如果加入了多个项目，训练达到此时长后，另一个项目可以在一轮结束时接替。</translation>
    </message>
    <message>
        <source>The computer counts as idle after this time without keyboard or mouse input.</source>
        <translation>键盘和鼠标在此时间内无输入后，电脑视为闲置。</translation>
    </message>
    <message>
        <source>While you use the computer, training on the processor pauses or continues for this share of the time.</source>
        <translation>你使用电脑时，处理器上的训练会暂停，或在此比例的时间内继续。</translation>
    </message>
    <message>
        <source>While you use the computer, training on a GPU pauses or continues for this share of the time.</source>
        <translation>你使用电脑时，GPU 上的训练会暂停，或在此比例的时间内继续。</translation>
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
        <source>Pause or continue training while the computer runs on battery.</source>
        <translation>电脑使用电池时暂停或继续训练。</translation>
    </message>
    <message>
        <source>If training is allowed on battery, it pauses below this charge.</source>
        <translation>如果允许使用电池训练，低于此电量时暂停。</translation>
    </message>
    <message>
        <source>Pause above this temperature until the processor has cooled by 5 °C.</source>
        <translation>处理器超过此温度时暂停，直到降低 5&#xa0;°C。</translation>
    </message>
    <message>
        <source>Pause above this temperature until the GPU has cooled by 5 °C.</source>
        <translation>GPU 超过此温度时暂停，直到降低 5&#xa0;°C。</translation>
    </message>
    <message>
        <source>Target temperature of the processor</source>
        <translation>处理器目标温度</translation>
    </message>
    <message>
        <source>Hold the processor at this temperature by short breaks between steps. Set it below the limit for pausing.</source>
        <translation>通过步骤之间的短暂休息使处理器保持在此温度。请将其设为低于暂停的温度上限。</translation>
    </message>
    <message>
        <source>Target temperature of the GPU</source>
        <translation>GPU 目标温度</translation>
    </message>
    <message>
        <source>Hold the GPU at this temperature by short breaks between steps. Set it below the limit for pausing.</source>
        <translation>通过步骤之间的短暂休息使 GPU 保持在此温度。请将其设为低于暂停的温度上限。</translation>
    </message>
    <message>
        <source>Power of the GPU</source>
        <translation>GPU 功率</translation>
    </message>
    <message>
        <source>Limit the power of the GPU while it trains, by its driver where that is allowed, otherwise by short breaks between steps. Your own setting of the driver is restored afterwards.</source>
        <translation>训练时限制 GPU 的功率：在允许时通过驱动程序，否则通过步骤之间的短暂休息。之后会恢复你自己的驱动程序设置。</translation>
    </message>
    <message>
        <source>Stay awake while training</source>
        <translation>训练时保持唤醒</translation>
    </message>
    <message>
        <source>Keep the computer from going to sleep by itself while it trains, but never on battery. The screen may turn off.</source>
        <translation>训练时防止电脑自动进入睡眠，但使用电池时绝不如此。屏幕可以关闭。</translation>
    </message>
    <message>
        <source>Price of electricity</source>
        <translation>电价</translation>
    </message>
    <message>
        <source>The price of a kilowatt-hour, by the hours of the week if it changes. Idlebrush shows what the measured energy of training costs.</source>
        <translation>每千瓦时的价格；如果价格有变化，则按一周中的时段填写。Idlebrush 会显示训练的实测能耗花费多少。</translation>
    </message>
    <message>
        <source>Highest price</source>
        <translation>最高电价</translation>
    </message>
    <message>
        <source>Pause while a kilowatt-hour costs more than this.</source>
        <translation>每千瓦时的价格高于此值时暂停。</translation>
    </message>
    <message>
        <source>Carbon intensity of electricity</source>
        <translation>电力的碳强度</translation>
    </message>
    <message>
        <source>The grams of CO2 that a kilowatt-hour causes where you live, by the hours of the week if they change. Idlebrush shows what the measured energy of training causes.</source>
        <translation>你所在地区每千瓦时产生的 CO2 克数；如果有变化，则按一周中的时段填写。Idlebrush 会显示训练的实测能耗产生多少 CO2。</translation>
    </message>
    <message>
        <source>Highest carbon intensity</source>
        <translation>最高碳强度</translation>
    </message>
    <message>
        <source>Pause while a kilowatt-hour causes more CO2 than this.</source>
        <translation>每千瓦时产生的 CO2 高于此值时暂停。</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this share of all processor cores.</source>
        <translation>其他程序占用所有处理器核心超过此比例时暂停。</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this share of the training GPU.</source>
        <translation>其他程序占用训练所用 GPU 超过此比例时暂停。</translation>
    </message>
    <message>
        <source>Training pauses while one of these applications runs. Enter the names of their programs.</source>
        <translation>这些应用之一运行时训练暂停。请填写其程序名称。</translation>
    </message>
    <message>
        <source>Train for at most this share of the time. Short breaks between steps reduce heat and noise.</source>
        <translation>训练时间不超过此比例。步骤之间的短暂休息可减少发热和噪音。</translation>
    </message>
    <message>
        <source>The number of processor threads for training. Automatic: all cores but one, or four if a GPU trains.</source>
        <translation>用于训练的处理器线程数。自动：除一个以外的所有核心；使用 GPU 训练时为四个。</translation>
    </message>
    <message>
        <source>The numbers of the GPUs that may train, counted from 0 and separated by commas.</source>
        <translation>可以训练的 GPU 的编号，从 0 开始，用逗号分隔。</translation>
    </message>
    <message>
        <source>The most disk space that runs may use.</source>
        <translation>项目最多可占用的磁盘空间。</translation>
    </message>
    <message>
        <source>Pause while less than this space is free on the disk.</source>
        <translation>磁盘剩余空间少于此值时暂停。</translation>
    </message>
    <message>
        <source>The most memory (RAM) that training may use.</source>
        <translation>训练最多可占用的内存 (RAM)。</translation>
    </message>
    <message>
        <source>Release all memory when less than this is left for other programs.</source>
        <translation>留给其他程序的内存少于此值时释放全部内存。</translation>
    </message>
    <message>
        <source>The most GPU memory that training may use.</source>
        <translation>训练最多可占用的显存。</translation>
    </message>
    <message>
        <source>GPU memory kept free for other programs. If they need more, training stops at once and releases all of its GPU memory.</source>
        <translation>为其他程序保留的显存。如果它们需要更多，训练会立即停止并释放全部显存。</translation>
    </message>
    <message>
        <source>Training releases its memory after a pause of this length.</source>
        <translation>暂停达到此时长后，训练会释放其内存。</translation>
    </message>
    <message>
        <source>Release GPU memory at every pause. Resuming then takes longer.</source>
        <translation>每次暂停时释放显存。之后继续会更慢。</translation>
    </message>
    <message>
        <source>The highest speed at which training may send data.</source>
        <translation>训练发送数据的最高速度。</translation>
    </message>
    <message>
        <source>The highest speed at which training may receive data.</source>
        <translation>训练接收数据的最高速度。</translation>
    </message>
    <message>
        <source>The most data that training may send and receive in total in a calendar month.</source>
        <translation>训练在一个自然月内最多可发送和接收的数据总量。</translation>
    </message>
    <message>
        <source>Pause while the connection is metered, such as a phone&apos;s.</source>
        <translation>连接按流量计费（如手机热点）时暂停。</translation>
    </message>
    <message>
        <source>The port on which other peers reach this computer. Automatic: any free port.</source>
        <translation>其他参与者连接这台电脑的端口。自动：任意空闲端口。</translation>
    </message>
    <message>
        <source>Control by other computers</source>
        <translation>由其他电脑控制</translation>
    </message>
    <message>
        <source>Let your other computers control this one, once they are paired by a code on the page My computers.</source>
        <translation>允许你的其他电脑控制这台电脑，前提是已在“我的电脑”页面用代码配对。</translation>
    </message>
    <message>
        <source>Port for other computers</source>
        <translation>供其他电脑使用的端口</translation>
    </message>
    <message>
        <source>The port on which your other computers reach this one.</source>
        <translation>你的其他电脑连接这台电脑所用的端口。</translation>
    </message>
    <message>
        <source>Let the router forward the port (UPnP or NAT-PMP)</source>
        <translation>让路由器转发端口（UPnP 或 NAT-PMP）</translation>
    </message>
    <message>
        <source>Ask the router to forward that port to this computer, so that other peers can connect to it.</source>
        <translation>请求路由器将该端口转发到这台电脑，以便其他参与者可以与之连接。</translation>
    </message>
    <message>
        <source>Start Idlebrush in the background when you log in.</source>
        <translation>你登录系统时在后台启动 Idlebrush。</translation>
    </message>
    <message>
        <source>Update by itself</source>
        <translation>自动更新</translation>
    </message>
    <message>
        <source>Look for a newer version once a day, and install it while training is paused. It is never fetched on a metered connection.</source>
        <translation>每天查找一次新版本，并在训练暂停时安装。在按流量计费的连接上绝不下载。</translation>
    </message>
    <message>
        <source>Electricity</source>
        <translation>用电</translation>
    </message>
    <message>
        <source>Start and updates</source>
        <translation>启动和更新</translation>
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
        <source>No matching preference</source>
        <translation>没有匹配的首选项</translation>
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
        <source>No one</source>
        <translation>没有人能看到</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU and its memory size), your training speed, the gradients you send, and the user name under which you were admitted.</source>
        <translation>你的 IP 地址、随机的节点 ID、硬件种类（处理器，或 GPU 及其显存大小）、训练速度、你发送的梯度，以及你获准加入时使用的用户名。</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU and its memory size), your training speed, and the gradients you send. They do not see your name.</source>
        <translation>你的 IP 地址、随机的节点 ID、硬件种类（处理器，或 GPU 及其显存大小）、训练速度和你发送的梯度。他们看不到你的姓名。</translation>
    </message>
    <message>
        <source>Your user name, the contribution of your computers, and the team you join. The leaderboard, your public page with its picture, and your team&apos;s page show your name unless you hide it. The coordinator receives a proof of identity made for it alone, never your token.</source>
        <translation>你的用户名、你的电脑的贡献，以及你加入的团队。除非你隐藏名字，否则排行榜、你的公开页面及其图片和你的团队的页面会显示它。协调者收到的是专为它生成的身份证明，绝不会收到你的令牌。</translation>
    </message>
    <message>
        <source>The IP address of this computer and its contribution.</source>
        <translation>这台电脑的 IP 地址及其贡献。</translation>
    </message>
    <message>
        <source>Your sign-in, if you sign in. Your token is stored on this computer and sent only to the Hub. Idlebrush also downloads data and files of a run from the Hub if they are stored there.</source>
        <translation>你的登录（如果你登录）。你的令牌保存在这台电脑上，只会发送给 Hub。如果项目的数据和文件保存在 Hub 上，Idlebrush 也会从那里下载。</translation>
    </message>
    <message>
        <source>Your files, your input and the programs you use. To pause while you use the computer, Idlebrush asks the system for the time of the last input, but not for the input itself. This time and the prompts and pictures in your gallery never leave this computer.</source>
        <translation>你的文件、你的输入和你使用的程序。为了在你使用电脑时暂停，Idlebrush 只向系统询问上次输入的时间，而不询问输入内容。该时间以及你图库中的提示词和图片绝不会离开这台电脑。</translation>
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
        <source>Start it to train and to see the current state.</source>
        <translation>启动它即可训练并查看状态。</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush 没有响应</translation>
    </message>
    <message>
        <source>Wait a moment. If it still does not answer, restart it.</source>
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
        <source>Idlebrush can no longer detect whether you are using the computer</source>
        <translation>Idlebrush 无法再判断你是否在使用电脑</translation>
    </message>
    <message>
        <source>Start at login could not be changed</source>
        <translation>无法更改“登录系统时启动”</translation>
    </message>
    <message>
        <source>A desktop service does not answer</source>
        <translation>桌面的某项服务没有响应</translation>
    </message>
    <message>
        <source>A checkpoint of the run cannot be used</source>
        <translation>项目的检查点无法使用</translation>
    </message>
    <message>
        <source>The trainer keeps failing</source>
        <translation>训练程序反复失败</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is wrong</source>
        <translation>这台电脑的时钟不准</translation>
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
        <source>The computer cannot be reached</source>
        <translation>无法连接该电脑</translation>
    </message>
    <message>
        <source>Idlebrush could not start in the background</source>
        <translation>Idlebrush 无法在后台启动</translation>
    </message>
    <message>
        <source>The background service belongs to another user</source>
        <translation>后台服务属于其他用户</translation>
    </message>
    <message>
        <source>The run&apos;s training data cannot be used</source>
        <translation>项目的训练数据无法使用</translation>
    </message>
    <message>
        <source>The display server does not respond correctly</source>
        <translation>显示服务器没有正确响应</translation>
    </message>
    <message>
        <source>A download failed</source>
        <translation>下载失败</translation>
    </message>
    <message>
        <source>This is not a valid duration</source>
        <translation>这不是有效的时长</translation>
    </message>
    <message>
        <source>The folder cannot be used</source>
        <translation>该文件夹无法使用</translation>
    </message>
    <message>
        <source>The run did not admit you</source>
        <translation>此项目不允许你加入</translation>
    </message>
    <message>
        <source>The pictures could not be drawn</source>
        <translation>无法画出图片</translation>
    </message>
    <message>
        <source>A training step failed and was discarded</source>
        <translation>一个训练步骤失败，已被丢弃</translation>
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
        <source>Your system&apos;s keyring does not work</source>
        <translation>系统的密钥环无法工作</translation>
    </message>
    <message>
        <source>Your system&apos;s keyring is locked</source>
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
        <source>The memory for training cannot be planned</source>
        <translation>无法规划训练所需的内存</translation>
    </message>
    <message>
        <source>The files of the run do not fit its model</source>
        <translation>项目的文件与其模型不匹配</translation>
    </message>
    <message>
        <source>Your system has no keyring to store the sign-in</source>
        <translation>系统没有可保存登录信息的密钥环</translation>
    </message>
    <message>
        <source>The NVIDIA driver does not answer</source>
        <translation>NVIDIA 驱动没有响应</translation>
    </message>
    <message>
        <source>No NVIDIA driver is installed</source>
        <translation>未安装 NVIDIA 驱动</translation>
    </message>
    <message>
        <source>A part of Idlebrush is not installed</source>
        <translation>Idlebrush 的一部分没有安装</translation>
    </message>
    <message>
        <source>This preference is not valid</source>
        <translation>此首选项无效</translation>
    </message>
    <message>
        <source>Training needs more memory than you allow</source>
        <translation>训练所需的内存超过了你允许的上限</translation>
    </message>
    <message>
        <source>The pictures could not be ranked</source>
        <translation>无法为图片评分</translation>
    </message>
    <message>
        <source>The other computer cannot be paired or controlled</source>
        <translation>无法配对或控制另一台电脑</translation>
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
        <source>What training needs could not be installed</source>
        <translation>无法安装训练所需的组件</translation>
    </message>
    <message>
        <source>The run&apos;s computers leave yours out</source>
        <translation>项目中的计算机已将你的计算机排除在外</translation>
    </message>
    <message>
        <source>The sign-in was not completed</source>
        <translation>登录未完成</translation>
    </message>
    <message>
        <source>Idlebrush&apos;s saved data could not be read or written</source>
        <translation>无法读取或写入 Idlebrush 保存的数据</translation>
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
    <message>
        <source>The new version does not work on this computer</source>
        <translation>新版本无法在这台电脑上运行</translation>
    </message>
    <message>
        <source>Idlebrush could not be updated</source>
        <translation>无法更新 Idlebrush</translation>
    </message>
    <message>
        <source>This computer cannot be kept awake</source>
        <translation>无法让这台电脑保持唤醒</translation>
    </message>
    <message>
        <source>This run needs a newer version of Idlebrush</source>
        <translation>此项目需要更新版本的 Idlebrush</translation>
    </message>
</context>
<context>
    <name>PromptForm</name>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>画</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>What should the model draw? For example, “{prompt}”</source>
        <extracomment>{prompt} is an example of what the model can draw, in the language of the run.</extracomment>
        <translation>让模型画什么？例如“{prompt}”</translation>
    </message>
    <message>
        <source>What should the model draw?</source>
        <translation>让模型画什么？</translation>
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
        <source>Pictures to keep</source>
        <translation>要保留的图片数</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Lower values give more predictable pictures, higher values more varied ones</source>
        <translation>值越低，图片越可预测；值越高，图片越多样</translation>
    </message>
    <message>
        <source>Most likely codes</source>
        <translation>最可能的编码</translation>
    </message>
    <message>
        <source>Each part of a picture is sampled from this many of the most likely codes (top-k)</source>
        <translation>图片的每一部分都从这么多个最可能的编码中采样 (top-k)</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>引导</translation>
    </message>
    <message>
        <source>Higher values follow the prompt more strictly and vary less; 1 does not guide</source>
        <translation>值越高，越严格地遵循描述，变化越少；1 表示不引导</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>The same seed and prompt give the same pictures</source>
        <translation>相同的种子和提示词得到相同的图片</translation>
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
        <source>Being drawn between training steps</source>
        <translation>在训练步骤之间绘制</translation>
    </message>
    <message>
        <source>Paused together with training</source>
        <translation>与训练一同暂停</translation>
    </message>
    <message>
        <source>Being drawn while the computer is idle</source>
        <translation>正在电脑空闲时绘制</translation>
    </message>
    <message>
        <source>Being drawn slowly while you use the computer</source>
        <translation>在你使用电脑时缓慢绘制</translation>
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
        <source>Elapsed share of the time limit</source>
        <translation>已用时间占时限的比例</translation>
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
        <source>This computer continues in the background as your preferences allow. You can see what it did when you open Idlebrush again.</source>
        <translation>这台电脑会按你的首选项在后台继续。再次打开 Idlebrush 时，你可以看到它做了什么。</translation>
    </message>
    <message>
        <source>Stopping training</source>
        <translation>正在停止训练</translation>
    </message>
    <message>
        <source>This computer is leaving the swarm. This takes a few seconds.</source>
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
        <source>Your rank is recorded from time to time while this computer trains.</source>
        <translation>这台电脑训练时会不时记录你的排名。</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>排名</translation>
    </message>
</context>
<context>
    <name>Reach</name>
    <message>
        <source>Peers with IPv6 connect directly to this computer over IPv6.</source>
        <translation>拥有 IPv6 的参与者通过 IPv6 直接连接到这台电脑。</translation>
    </message>
    <message>
        <source>Other peers can connect to this computer.</source>
        <translation>其他参与者可以连接到这台电脑。</translation>
    </message>
    <message>
        <source>Other peers can connect to this computer at a port that its router forwards on request (UPnP or NAT-PMP).</source>
        <translation>其他参与者可以通过路由器应请求转发的端口连接到这台电脑（UPnP 或 NAT-PMP）。</translation>
    </message>
    <message>
        <source>Other peers reach this computer through an opening in its router that both sides make (hole punching).</source>
        <translation>其他参与者通过双方在其路由器上打开的通道连接到这台电脑（打洞）。</translation>
    </message>
    <message>
        <source>Other peers reach this computer through a relay alone, so it adds up updates for others and gives newcomers the model&apos;s state only while no peer that is reached better does.</source>
        <translation>其他参与者只能通过中继连接到这台电脑，因此只有在没有更易连接的参与者时，它才为他人汇总更新并向新加入者提供模型状态。</translation>
    </message>
    <message>
        <source>Other peers cannot connect to this computer, so it connects to them: it still trains, but neither adds up updates for others nor gives newcomers the model&apos;s state.</source>
        <translation>其他参与者无法连接到这台电脑，因此由它连接到他们：它照常训练，但既不为他人汇总更新，也不向新加入者提供模型状态。</translation>
    </message>
    <message>
        <source>No peer of the run could check whether others can connect to this computer: it still trains, but until one can, it neither adds up updates for others nor gives newcomers the model&apos;s state.</source>
        <translation>此项目没有参与者能检查其他人能否连接到这台电脑：它照常训练，但在能检查之前，既不为他人汇总更新，也不向新加入者提供模型状态。</translation>
    </message>
    <message>
        <source>This is checked again every five minutes; if it stays so, tell the run&apos;s organiser.</source>
        <translation>每五分钟会重新检查一次；如果一直如此，请告知此项目的组织者。</translation>
    </message>
    <message>
        <source>Nothing has to be changed.</source>
        <translation>无需更改。</translation>
    </message>
    <message>
        <source>To help the swarm more, turn on the preference “{preference}”, or forward TCP port {port} to this computer in the router.</source>
        <extracomment>{preference} is the title of a preference.</extracomment>
        <translation>若要为群组提供更多帮助，请开启首选项“{preference}”，或在路由器中将 TCP 端口 {port} 转发到这台电脑。</translation>
    </message>
    <message>
        <source>To help the swarm more, forward TCP port {port} to this computer in the router, or allow UPnP or NAT-PMP there.</source>
        <translation>若要为群组提供更多帮助，请在路由器中将 TCP 端口 {port} 转发到这台电脑，或在其中允许 UPnP 或 NAT-PMP。</translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message>
        <source>it is outside your training hours until {moment}</source>
        <translation>不在训练时段内，{moment} 起继续</translation>
    </message>
    <message>
        <source>{programs} fills the screen</source>
        <extracomment>{programs} is the name of a program, or several with commas between them.</extracomment>
        <translation>{programs} 占满了屏幕</translation>
    </message>
    <message>
        <source>the exclusive application {programs} is running</source>
        <translation>优先应用 {programs} 正在运行</translation>
    </message>
    <message>
        <source>{programs} keeps the screen on</source>
        <translation>{programs} 让屏幕保持点亮</translation>
    </message>
    <message>
        <source>this run needs {programs} or newer; this is {version}. Update Idlebrush to continue</source>
        <extracomment>{programs} is such as &quot;Idlebrush 0.3&quot;, {version} is such as &quot;0.1.0&quot;.</extracomment>
        <translation>此项目需要 {programs} 或更高版本；当前为 {version}。请更新 Idlebrush 后继续</translation>
    </message>
    <message>
        <source>electricity costs more than your limit until {moment}</source>
        <translation>电价高于你设置的上限，{moment} 起继续</translation>
    </message>
    <message>
        <source>electricity causes more CO2 than your limit until {moment}</source>
        <translation>电力的 CO2 排放高于你设置的上限，{moment} 起继续</translation>
    </message>
    <message>
        <source>you have not agreed to train yet</source>
        <extracomment>All of these follow &quot;Paused: &quot; or &quot;Slowed to 50%: &quot;, and also stand alone, capitalised.</extracomment>
        <translation>你还没有同意训练</translation>
    </message>
    <message>
        <source>you chose “Never”</source>
        <translation>你选择了“从不”</translation>
    </message>
    <message>
        <source>you paused training</source>
        <translation>你已暂停训练</translation>
    </message>
    <message>
        <source>you snoozed training</source>
        <translation>你已让训练暂停一会儿</translation>
    </message>
    <message>
        <source>a speed test of another run is in progress</source>
        <translation>正在对另一个项目进行速度测试</translation>
    </message>
    <message>
        <source>this run needs a newer version of Idlebrush</source>
        <translation>此项目需要更新版本的 Idlebrush</translation>
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
        <source>another program needs the GPU memory</source>
        <translation>其他程序需要 GPU 的显存</translation>
    </message>
    <message>
        <source>memory is low</source>
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
        <source>the computer runs on battery</source>
        <translation>电脑正在使用电池</translation>
    </message>
    <message>
        <source>the battery is low</source>
        <translation>电池电量低</translation>
    </message>
    <message>
        <source>it is outside your training hours</source>
        <translation>不在训练时段内</translation>
    </message>
    <message>
        <source>electricity costs more than your limit</source>
        <translation>电价高于你设置的上限</translation>
    </message>
    <message>
        <source>electricity causes more CO2 than your limit</source>
        <translation>电力的 CO2 排放高于你设置的上限</translation>
    </message>
    <message>
        <source>the network connection is metered</source>
        <translation>网络连接按流量计费</translation>
    </message>
    <message>
        <source>this month&apos;s traffic quota is used up</source>
        <translation>本月的流量限额已用完</translation>
    </message>
    <message>
        <source>the disk is nearly full</source>
        <translation>磁盘快满了</translation>
    </message>
    <message>
        <source>runs have reached your disk space limit</source>
        <translation>项目已达到你设置的磁盘空间上限</translation>
    </message>
    <message>
        <source>the processor is held at its target temperature</source>
        <translation>处理器正保持在目标温度</translation>
    </message>
    <message>
        <source>the GPU is held at its target temperature</source>
        <translation>GPU 正保持在目标温度</translation>
    </message>
    <message>
        <source>the GPU&apos;s power is limited</source>
        <translation>GPU 的功率受到限制</translation>
    </message>
    <message>
        <source>you limited training to a share of the time</source>
        <translation>你已将训练限制在一部分时间内</translation>
    </message>
</context>
<context>
    <name>RecordsCard</name>
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
        <source>Share</source>
        <translation>分享</translation>
    </message>
    <message>
        <source>The export has one row per day. The run&apos;s coordinator also signs receipts for your contribution.</source>
        <translation>导出的文件每天一行。项目的协调者还会为你的贡献签发收据。</translation>
    </message>
    <message>
        <source>The export has one row per day, for a spreadsheet or a program.</source>
        <translation>导出的文件每天一行，可用于电子表格或程序。</translation>
    </message>
    <message>
        <source>Open my public page</source>
        <translation>打开我的公开页面</translation>
    </message>
    <message>
        <source>Open a picture to share</source>
        <translation>打开用于分享的图片</translation>
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
        <source>Choose another folder, or free some disk space. The system reports: {why}</source>
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
        <source>Your signed receipts are saved on this computer</source>
        <translation>你的签名收据已保存在这台电脑上</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
</context>
<context>
    <name>RunPictures</name>
    <message>
        <source>Save as a moving picture…</source>
        <translation>保存为动图…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Time-lapse to epoch {epoch}</source>
        <translation>到第 {epoch} 轮的延时影片</translation>
    </message>
    <message>
        <source>The moving picture is being made</source>
        <translation>正在制作动图</translation>
    </message>
    <message>
        <source>The moving picture is saved</source>
        <translation>动图已保存</translation>
    </message>
    <message>
        <source>The moving picture could not be saved</source>
        <translation>无法保存动图</translation>
    </message>
    <message>
        <source>Nothing here yet</source>
        <translation>这里还没有内容</translation>
    </message>
    <message>
        <source>Every few epochs, the model makes something of the run&apos;s prompts. It appears here.</source>
        <translation>每隔几轮，模型会根据项目的提示词生成内容，并显示在这里。</translation>
    </message>
    <message>
        <source>Choose a run to watch its model improve here.</source>
        <translation>选择一个项目，即可在这里看到其模型的进步。</translation>
    </message>
    <message>
        <source>What the model writes</source>
        <translation>模型写的内容</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>还没有项目</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>What the run has made cannot be read</source>
        <translation>无法读取该项目生成的内容</translation>
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
        <source>A small run for this computer only</source>
        <translation>仅供这台电脑使用的小型项目</translation>
    </message>
    <message>
        <source>From a list</source>
        <translation>从列表</translation>
    </message>
    <message>
        <source>Runs that others recommend</source>
        <translation>他人推荐的项目</translation>
    </message>
    <message>
        <source>From a link</source>
        <translation>通过链接</translation>
    </message>
    <message>
        <source>From a run&apos;s website or a friend</source>
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
        <source>Inspecting the run</source>
        <translation>正在检查项目</translation>
    </message>
    <message>
        <source>Inspecting the run and this computer…</source>
        <translation>正在检查项目和这台电脑…</translation>
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
    <name>RunsCard</name>
    <message>
        <source>By run</source>
        <translation>按项目</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Computing time</source>
        <translation>计算时间</translation>
    </message>
</context>
<context>
    <name>SaveDialog</name>
    <message>
        <source>Pictures (*{suffix})</source>
        <translation>图片 (*{suffix})</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Save as a moving picture</source>
        <translation>保存为动图</translation>
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
    <name>SettingRow</name>
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
    <name>Setup</name>
    <message>
        <source>Cancel the installation?</source>
        <translation>取消安装？</translation>
    </message>
    <message>
        <source>What was downloaded is removed. This computer does not train until it is installed.</source>
        <translation>已下载的内容将被删除。安装完成之前，这台电脑不会训练。</translation>
    </message>
    <message>
        <source>Cancel it</source>
        <translation>取消安装</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Restart the computer now?</source>
        <translation>现在重新启动计算机吗？</translation>
    </message>
    <message>
        <source>Save your work first. Idlebrush continues by itself after the restart.</source>
        <translation>请先保存你的工作。重新启动后 Idlebrush 会自动继续。</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>立即重新启动</translation>
    </message>
    <message>
        <source>Restart into the firmware’s settings now?</source>
        <translation>现在重新启动并进入固件设置吗？</translation>
    </message>
    <message>
        <source>Windows asks an administrator to agree, and restarts at once: save your work first. Turn on Intel VT-x or AMD SVM there, often below “Advanced” or “CPU”, and save. Idlebrush continues by itself after the restart.</source>
        <translation>Windows 会请求管理员同意，并立即重新启动：请先保存你的工作。在那里启用 Intel VT-x 或 AMD SVM（通常位于“Advanced”或“CPU”下）并保存。重新启动后 Idlebrush 会自动继续。</translation>
    </message>
    <message>
        <source>Update WSL now?</source>
        <translation>现在更新 WSL 吗？</translation>
    </message>
    <message>
        <source>All Linux systems in WSL are ended for that, also those of other programs: save your work in them first. Windows may ask an administrator to agree. Training continues afterwards.</source>
        <translation>为此会结束 WSL 中的所有 Linux 系统，包括其他程序的系统：请先在其中保存你的工作。Windows 可能会请求管理员同意。之后训练会继续。</translation>
    </message>
    <message>
        <source>Update now</source>
        <translation>立即更新</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>Training needs more packages</source>
        <translation>训练需要更多软件包</translation>
    </message>
    <message>
        <source>Finding the packages for this computer…</source>
        <translation>正在查找适合这台电脑的软件包…</translation>
    </message>
    <message>
        <source>The download waits</source>
        <translation>下载正在等待</translation>
    </message>
    <message>
        <source>You have paused the download</source>
        <translation>你已暂停下载</translation>
    </message>
    <message>
        <source>This Windows is too old for training</source>
        <translation>此 Windows 版本过旧，无法训练</translation>
    </message>
    <message>
        <source>This computer’s virtualisation is turned off</source>
        <translation>这台电脑的虚拟化功能已关闭</translation>
    </message>
    <message>
        <source>Training needs a part of Windows that is turned off</source>
        <translation>训练需要 Windows 的一个组件，该组件目前已关闭</translation>
    </message>
    <message>
        <source>The computer has to restart</source>
        <translation>需要重新启动电脑</translation>
    </message>
    <message>
        <source>Training needs more free disk space</source>
        <translation>训练需要更多可用磁盘空间</translation>
    </message>
    <message>
        <source>Virtualisation seems to be turned off</source>
        <translation>虚拟化功能似乎已关闭</translation>
    </message>
    <message>
        <source>Training needs it. If turning on WSL does not help, turn on Intel VT-x or AMD SVM in the settings of the computer’s firmware.</source>
        <translation>训练需要它。如果启用 WSL 后仍不行，请在电脑的固件设置中启用 Intel VT-x 或 AMD SVM。</translation>
    </message>
    <message>
        <source>The WSL that came with Windows is in use</source>
        <translation>正在使用 Windows 自带的 WSL</translation>
    </message>
    <message>
        <source>It gets no corrections any more. Idlebrush can have it updated.</source>
        <translation>它不再获得修正。Idlebrush 可以让它更新。</translation>
    </message>
    <message>
        <source>NVIDIA’s driver is too old to train on the GPU</source>
        <translation>NVIDIA 驱动程序过旧，无法在 GPU 上训练</translation>
    </message>
    <message>
        <source>This computer would train on its processor. Install NVIDIA’s current driver for Windows.</source>
        <translation>这台电脑将使用处理器训练。请安装最新的 Windows 版 NVIDIA 驱动程序。</translation>
    </message>
    <message>
        <source>Another person has to agree</source>
        <translation>需要另一个人同意</translation>
    </message>
    <message>
        <source>You do not administer this computer. Have someone who does enter a password when Windows asks for one.</source>
        <translation>你不是这台电脑的管理员。请让管理员在 Windows 询问时输入密码。</translation>
    </message>
    <message>
        <source>The download was interrupted</source>
        <translation>下载已中断</translation>
    </message>
    <message>
        <source>The packages for training could not be installed</source>
        <translation>无法安装训练所需的软件包</translation>
    </message>
    <message>
        <source>This computer is ready to train</source>
        <translation>这台电脑已准备好训练</translation>
    </message>
    <message>
        <source>Checking this computer</source>
        <translation>正在检查这台电脑</translation>
    </message>
    <message>
        <source>Windows asks for an administrator’s consent</source>
        <translation>Windows 正在请求管理员同意</translation>
    </message>
    <message>
        <source>Downloading Linux for training</source>
        <translation>正在下载用于训练的 Linux</translation>
    </message>
    <message>
        <source>Setting up Linux for training</source>
        <translation>正在设置用于训练的 Linux</translation>
    </message>
    <message>
        <source>Updating WSL</source>
        <translation>正在更新 WSL</translation>
    </message>
    <message>
        <source>The download waits: {reason}</source>
        <extracomment>{reason} is such as &quot;the network connection is metered&quot;.</extracomment>
        <translation>下载正在等待：{reason}</translation>
    </message>
    <message>
        <source>Downloading the packages for training</source>
        <translation>正在下载训练所需的软件包</translation>
    </message>
    <message>
        <source>Installing the packages for training</source>
        <translation>正在安装训练所需的软件包</translation>
    </message>
    <message>
        <source>Testing the packages on this computer</source>
        <translation>正在这台电脑上测试软件包</translation>
    </message>
    <message>
        <source>Completing the installation</source>
        <translation>正在完成安装</translation>
    </message>
    <message>
        <source>Preparing the download</source>
        <translation>正在准备下载</translation>
    </message>
    <message>
        <source>PyTorch and the packages that it needs are downloaded once. Idlebrush checks each file, tests the result, and keeps it in its own folder.</source>
        <translation>PyTorch 及其所需的软件包只需下载一次。Idlebrush 会检查每个文件、测试结果，并将其保存在自己的文件夹中。</translation>
    </message>
    <message>
        <source>What was downloaded is kept.</source>
        <translation>已下载的内容会保留。</translation>
    </message>
    <message>
        <source>The next attempt begins at {moment}. What was downloaded is kept.</source>
        <extracomment>{moment} is a time such as &quot;14:30&quot;.</extracomment>
        <translation>下一次尝试将于 {moment} 开始。已下载的内容会保留。</translation>
    </message>
    <message>
        <source>It continues in the background, also when this window is closed.</source>
        <translation>此过程在后台继续，关闭此窗口也不受影响。</translation>
    </message>
    <message>
        <source>All packages for training are installed and tested.</source>
        <translation>训练所需的所有软件包均已安装并通过测试。</translation>
    </message>
    <message>
        <source>{size}, once</source>
        <translation>{size}，仅一次</translation>
    </message>
    <message>
        <source>Up to {size} while it is installed</source>
        <translation>安装期间最多 {size}</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Disk space</source>
        <translation>磁盘空间</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>这台电脑</translation>
    </message>
    <message>
        <source>Training runs in a small Linux of its own, within WSL, a part of Windows. It is removed with Idlebrush.</source>
        <translation>训练在 WSL（Windows 的一个组件）中一个独立的小型 Linux 里运行。卸载 Idlebrush 时会一并移除。</translation>
    </message>
    <message>
        <source>Linux</source>
        <translation>Linux</translation>
    </message>
    <message>
        <source>Not included</source>
        <translation>未包含</translation>
    </message>
    <message>
        <source>This computer trains on its processor, not on its GPU</source>
        <translation>这台电脑使用处理器而不是 GPU 训练</translation>
    </message>
    <message>
        <source>Step {done} of {total}</source>
        <translation>第 {done} 步，共 {total} 步</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <extracomment>Both are sizes, such as &quot;1.2 GB of 2.9 GB&quot;.</extracomment>
        <translation>{done}，共 {total}</translation>
    </message>
    <message>
        <source>{done} of {total}, about {duration} left</source>
        <extracomment>{duration} is such as &quot;3 min&quot;.</extracomment>
        <translation>{done}，共 {total}，大约还需 {duration}</translation>
    </message>
    <message>
        <source>Find the packages</source>
        <translation>查找软件包</translation>
    </message>
    <message>
        <source>Download and install</source>
        <translation>下载并安装</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Pause the download</source>
        <translation>暂停下载</translation>
    </message>
    <message>
        <source>Continue the download</source>
        <translation>继续下载</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Turn on WSL</source>
        <translation>启用 WSL</translation>
    </message>
    <message>
        <source>Update WSL</source>
        <translation>更新 WSL</translation>
    </message>
    <message>
        <source>Restart the computer</source>
        <translation>重新启动计算机</translation>
    </message>
    <message>
        <source>Restart into the firmware’s settings</source>
        <translation>重新启动并进入固件设置</translation>
    </message>
    <message>
        <source>How to turn it on</source>
        <translation>如何启用</translation>
    </message>
    <message>
        <source>Open Windows Update</source>
        <translation>打开 Windows 更新</translation>
    </message>
    <message>
        <source>Open the storage settings</source>
        <translation>打开存储设置</translation>
    </message>
    <message>
        <source>Open NVIDIA’s driver page</source>
        <translation>打开 NVIDIA 驱动程序页面</translation>
    </message>
    <message>
        <source>The page could not be opened</source>
        <translation>无法打开该页面</translation>
    </message>
    <message>
        <source>WSL was not updated</source>
        <translation>WSL 未更新</translation>
    </message>
    <message>
        <source>The computer does not restart</source>
        <translation>电脑没有重新启动</translation>
    </message>
</context>
<context>
    <name>SetupPanel</name>
    <message>
        <source>Progress of the installation</source>
        <translation>安装进度</translation>
    </message>
</context>
<context>
    <name>SetupScreen</name>
    <message>
        <source>One more download</source>
        <translation>还需要一次下载</translation>
    </message>
    <message>
        <source>Training needs large packages that fit this computer. They are not part of the app.</source>
        <translation>训练需要适合这台电脑的大型软件包。它们不包含在应用中。</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>安装</translation>
    </message>
    <message>
        <source>Open Idlebrush</source>
        <translation>打开 Idlebrush</translation>
    </message>
    <message>
        <source>The installation continues in the background.</source>
        <translation>安装在后台继续进行。</translation>
    </message>
</context>
<context>
    <name>SignInScreen</name>
    <message>
        <source>Sign in (optional)</source>
        <translation>登录（可选）</translation>
    </message>
    <message>
        <source>Some runs admit only people with certain accounts on the Hugging Face Hub. Open runs and the run that comes with Idlebrush need no account. You can skip this step and sign in later.</source>
        <translation>有些项目只接纳在 Hugging Face Hub 上拥有特定账户的人。开放的项目以及随 Idlebrush 提供的项目不需要账户。你可以跳过此步，以后再登录。</translation>
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
        <source>You get a short code and enter it in a browser, here or on your phone. Idlebrush never sees your password. It requests only your user name.</source>
        <translation>你会得到一个短代码，在这里或手机上的浏览器中输入。Idlebrush 永远不会看到你的密码，只会请求你的用户名。</translation>
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
        <source>Only until Idlebrush quits</source>
        <translation>仅到 Idlebrush 退出为止</translation>
    </message>
    <message>
        <source>In a file that only I can read</source>
        <translation>保存在只有我能读取的文件中</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot store your sign-in</source>
        <translation>这台电脑的密钥环无法保存你的登录信息</translation>
    </message>
    <message>
        <source>Unlock the keyring and try again, or store the sign-in elsewhere.</source>
        <translation>请解锁密钥环后重试，或将登录信息保存在其他位置。</translation>
    </message>
    <message>
        <source>Requesting a code…</source>
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
        <source>Wait a moment. If nothing changes, end process {pid} and start Idlebrush again.</source>
        <translation>请稍候。如果没有变化，请结束进程 {pid} 并重新启动 Idlebrush。</translation>
    </message>
    <message>
        <source>The file {file} cannot be written.</source>
        <translation>无法写入文件 {file}。</translation>
    </message>
    <message>
        <source>Free some disk space, or set IDLEBRUSH_HOME to a folder that you can write to.</source>
        <translation>请腾出一些磁盘空间，或将 IDLEBRUSH_HOME 设为你有写入权限的文件夹。</translation>
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
    <name>TeamModel</name>
    <message>
        <source>Rank</source>
        <translation>排名</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>团队</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>Members</source>
        <translation>成员</translation>
    </message>
</context>
<context>
    <name>TeamsPanel</name>
    <message>
        <source>Name of a team</source>
        <translation>团队名称</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>加入</translation>
    </message>
    <message>
        <source>Found a new team</source>
        <translation>创建新团队</translation>
    </message>
    <message>
        <source>Leave the team</source>
        <translation>退出团队</translation>
    </message>
    <message>
        <source>Leaderboard of teams</source>
        <translation>团队排行榜</translation>
    </message>
    <message>
        <source>Leave {team} and close it?</source>
        <translation>退出 {team} 并将其关闭？</translation>
    </message>
    <message>
        <source>You are the last member: the team is closed and its name cannot be used again.</source>
        <translation>你是最后一名成员：团队将被关闭，其名称不能再次使用。</translation>
    </message>
    <message>
        <source>Leave and close</source>
        <translation>退出并关闭</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>留下</translation>
    </message>
</context>
<context>
    <name>TextEditor</name>
    <message>
        <source>{preference}: {word}</source>
        <translation>{preference}：{word}</translation>
    </message>
</context>
<context>
    <name>TimesScreen</name>
    <message>
        <source>When may this computer train?</source>
        <translation>这台电脑什么时候可以训练？</translation>
    </message>
    <message>
        <source>These defaults suit most computers. You can change them and many other preferences at any time.</source>
        <translation>这些默认值适合大多数电脑。你可以随时更改它们以及许多其他首选项。</translation>
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
        <source>“Always” also trains while you use the computer.</source>
        <translation>“始终”在你使用电脑时也会训练。</translation>
    </message>
    <message>
        <source>You are away after</source>
        <translation>视为离开的时间</translation>
    </message>
    <message>
        <source>This is the time without keyboard or mouse input. Training stops at once when you come back.</source>
        <translation>指键盘和鼠标无输入的时间。你回来时，训练会立即停止。</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>训练时段</translation>
    </message>
    <message>
        <source>Hours are in local time.</source>
        <translation>时段按本地时间。</translation>
    </message>
    <message>
        <source>Heat and noise</source>
        <translation>发热与噪音</translation>
    </message>
    <message>
        <source>Breaks between steps keep the computer cooler and quieter.</source>
        <translation>步骤之间的休息让电脑更凉爽更安静。</translation>
    </message>
    <message>
        <source>Train on battery</source>
        <translation>使用电池时训练</translation>
    </message>
    <message>
        <source>If this is off, training waits until the computer is plugged in.</source>
        <translation>关闭时，训练会等到电脑接通电源。</translation>
    </message>
    <message>
        <source>Start when I log in</source>
        <translation>登录系统时启动</translation>
    </message>
    <message>
        <source>Idlebrush starts in the background, without a window.</source>
        <translation>Idlebrush 在后台启动，不显示窗口。</translation>
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
        <source>Check and sign in</source>
        <translation>检查并登录</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Create a token</source>
        <translation>创建令牌</translation>
    </message>
    <message>
        <source>A read-only token is enough. Idlebrush sends it only to the Hugging Face Hub.</source>
        <translation>只读令牌就够了。Idlebrush 只会将其发送给 Hugging Face Hub。</translation>
    </message>
    <message>
        <source>Hide the token</source>
        <translation>隐藏令牌</translation>
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
        <source>According to my &amp;preferences</source>
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
        <source>Idlebrush is not running in the background</source>
        <translation>Idlebrush 未在后台运行</translation>
    </message>
    <message>
        <source>This computer does not train until you start it.</source>
        <translation>在你启动它之前，这台电脑不会训练。</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush 没有响应</translation>
    </message>
    <message>
        <source>The computer may be very busy. This window shows the last known state.</source>
        <translation>电脑可能非常繁忙。此窗口显示最后已知的状态。</translation>
    </message>
    <message>
        <source>Another version of Idlebrush is running in the background</source>
        <translation>另一个版本的 Idlebrush 正在后台运行</translation>
    </message>
    <message>
        <source>Restart it so that both parts have the same version. Training continues afterwards.</source>
        <translation>请重新启动它，使两者版本一致。之后训练会继续。</translation>
    </message>
    <message>
        <source>Idlebrush is running as another user</source>
        <translation>Idlebrush 以其他用户身份运行</translation>
    </message>
    <message>
        <source>Idlebrush could not be started</source>
        <translation>无法启动 Idlebrush</translation>
    </message>
    <message>
        <source>This computer cannot train yet</source>
        <translation>这台电脑还不能训练</translation>
    </message>
    <message>
        <source>The packages for training are not installed.</source>
        <translation>训练所需的软件包尚未安装。</translation>
    </message>
    <message>
        <source>The packages for training could not be installed</source>
        <translation>无法安装训练所需的软件包</translation>
    </message>
    <message>
        <source>This computer does not train until they are installed.</source>
        <translation>安装完成之前，这台电脑不会训练。</translation>
    </message>
    <message>
        <source>The download of the packages for training is paused</source>
        <translation>训练所需软件包的下载已暂停</translation>
    </message>
    <message>
        <source>This computer does not train until it is complete.</source>
        <translation>下载完成之前，这台电脑不会训练。</translation>
    </message>
    <message>
        <source>The packages for training are being installed</source>
        <translation>正在安装训练所需的软件包</translation>
    </message>
    <message>
        <source>The page “Now” shows the progress.</source>
        <translation>“现在”页面显示进度。</translation>
    </message>
    <message>
        <source>Start it</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Restart it</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>Install them</source>
        <translation>安装</translation>
    </message>
    <message>
        <source>Continue the download</source>
        <translation>继续下载</translation>
    </message>
</context>
<context>
    <name>UpdateCard</name>
    <message>
        <source>Updates</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>&amp;Install now</source>
        <translation>立即安装(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Not now</source>
        <translation>暂不安装(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;What&apos;s new</source>
        <translation>新内容(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Look for updates</source>
        <translation>查找更新(&amp;L)</translation>
    </message>
</context>
<context>
    <name>Updates</name>
    <message>
        <source>Looking for a newer version</source>
        <translation>正在查找新版本</translation>
    </message>
    <message>
        <source>Idlebrush {version} is available</source>
        <translation>Idlebrush {version} 已可用</translation>
    </message>
    <message>
        <source>Downloading Idlebrush {version}</source>
        <translation>正在下载 Idlebrush {version}</translation>
    </message>
    <message>
        <source>Installing Idlebrush {version}</source>
        <translation>正在安装 Idlebrush {version}</translation>
    </message>
    <message>
        <source>Idlebrush {version} did not work on this computer</source>
        <translation>Idlebrush {version} 未能在这台电脑上运行</translation>
    </message>
    <message>
        <source>Idlebrush {version} is installed</source>
        <translation>已安装 Idlebrush {version}</translation>
    </message>
    <message>
        <source>The version before it is kept until this one has trained an epoch.</source>
        <translation>在此版本训练完一个轮次之前，会保留之前的版本。</translation>
    </message>
    <message>
        <source>The version before it is in use again. This one is not tried again.</source>
        <translation>已恢复使用之前的版本。不会再次尝试此版本。</translation>
    </message>
    <message>
        <source>Training continues in a moment.</source>
        <translation>训练即将继续。</translation>
    </message>
    <message>
        <source>Updates are turned off in the preferences.</source>
        <translation>已在偏好设置中关闭更新。</translation>
    </message>
    <message>
        <source>You put it off until tomorrow.</source>
        <translation>你已将其推迟到明天。</translation>
    </message>
    <message>
        <source>This version is too old to update itself. Download the new one from the website.</source>
        <translation>此版本太旧，无法自行更新。请从网站下载新版本。</translation>
    </message>
    <message>
        <source>Your system&apos;s package manager installs it.</source>
        <translation>由系统的软件包管理器安装。</translation>
    </message>
    <message>
        <source>Download the new package from the page /join of a run&apos;s website, and install it over this one.</source>
        <translation>请从项目网站的 /join 页面下载新的软件包，并覆盖安装。</translation>
    </message>
    <message>
        <source>It is downloaded once the connection is no longer metered.</source>
        <translation>连接不再按流量计费后才会下载。</translation>
    </message>
    <message>
        <source>It is larger than what is left of this month&apos;s traffic quota.</source>
        <translation>它超过了本月剩余的流量配额。</translation>
    </message>
    <message>
        <source>It waits until the computer runs on mains power.</source>
        <translation>等到电脑接通电源后再进行。</translation>
    </message>
    <message>
        <source>It is installed at the next pause of training.</source>
        <translation>将在下次训练暂停时安装。</translation>
    </message>
    <message>
        <source>It is installed once your pictures, previews and sign-ins are done.</source>
        <translation>待你的图片、预览和登录完成后安装。</translation>
    </message>
</context>
<context>
    <name>WeeklyEditor</name>
    <message>
        <source>The first number is for all hours. Others follow with their times, with semicolons between them.</source>
        <translation>第一个数值适用于所有时段。其他数值连同其时段写在后面，用分号分隔。</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
    <message>
        <source>Get started</source>
        <translation>开始吧</translation>
    </message>
    <message>
        <source>Your computer can help a machine learn to paint</source>
        <translation>你的电脑可以帮助机器学习画画</translation>
    </message>
    <message>
        <source>While you are away, Idlebrush trains one model together with other people&apos;s computers. The model turns words into pictures, and you can watch it improve.</source>
        <translation>你离开时，Idlebrush 与其他人的电脑一起训练一个模型。该模型把文字变成图片，你可以看着它越来越好。</translation>
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
        <source>Pause at once when you use the computer.</source>
        <translation>你使用电脑时立即暂停。</translation>
    </message>
    <message>
        <source>Pause on battery, during games and videos, and when the computer is hot.</source>
        <translation>使用电池、游戏和视频期间以及电脑过热时暂停。</translation>
    </message>
    <message>
        <source>Keep to the limits that you set for heat, noise, memory and bandwidth.</source>
        <translation>遵守你为发热、噪音、内存和带宽设置的上限。</translation>
    </message>
    <message>
        <source>Train before you agree in step {step}.</source>
        <extracomment>{step} is the number of the step in which the user agrees.</extracomment>
        <translation>在你于第 {step} 步表示同意之前进行训练。</translation>
    </message>
    <message>
        <source>Read or send your files. Others see this computer&apos;s Internet address and its speed.</source>
        <translation>读取或发送你的文件。他人只能看到这台电脑的互联网地址和速度。</translation>
    </message>
    <message>
        <source>Run programs that others send. The computers exchange only numbers.</source>
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
        <source>My computers</source>
        <translation>我的电脑</translation>
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
    <name>_NavigationEntry</name>
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
