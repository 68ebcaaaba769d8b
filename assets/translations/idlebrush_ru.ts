<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ru_RU">
<context>
    <name>AboutPage</name>
    <message>
        <source>Another version is running in the background</source>
        <translation>В фоне работает другая версия</translation>
    </message>
    <message>
        <source>The app is version {app}, its background part version {daemon}. Restart that part so that both match.</source>
        <translation>Версия приложения — {app}, фоновой части — {daemon}. Перезапустите фоновую часть, чтобы версии совпали.</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Перезапустить</translation>
    </message>
</context>
<context>
    <name>Activity</name>
    <message>
        <source>You have not joined a run yet</source>
        <translation>Вы ещё не присоединились к проекту</translation>
    </message>
    <message>
        <source>{number} samples/s</source>
        <translation>{number} прим./с</translation>
    </message>
    <message>
        <source>{number} samples/min</source>
        <translation>{number} прим./мин</translation>
    </message>
    <message>
        <source>{number} samples/h</source>
        <translation>{number} прим./ч</translation>
    </message>
    <message>
        <source>Paused until {moment}</source>
        <translation>Пауза. Возобновление: {moment}</translation>
    </message>
    <message>
        <source>Paused: {reason}</source>
        <translation>Пауза: {reason}</translation>
    </message>
    <message>
        <source>Slowed to {percent}: {reason}</source>
        <translation>Замедлено до {percent}: {reason}</translation>
    </message>
    <message>
        <source>Waiting: the trainer is being restarted</source>
        <translation>Ожидание: обучение запускается снова</translation>
    </message>
    <message>
        <source>Waiting: asking the run&apos;s coordinator for admission</source>
        <translation>Ожидание: у координатора проекта запрошен допуск</translation>
    </message>
    <message>
        <source>Waiting: the run goes on from an earlier checkpoint, which is being downloaded</source>
        <translation>Ожидание: проект продолжится с более ранней контрольной точки, она загружается</translation>
    </message>
    <message>
        <source>Starting to train</source>
        <translation>Обучение начинается</translation>
    </message>
    <message>
        <source>Finishing this epoch, then pausing</source>
        <translation>Эта эпоха завершается, затем пауза</translation>
    </message>
    <message>
        <source>Something needs your attention</source>
        <translation>Нужно ваше внимание</translation>
    </message>
    <message>
        <source>Leaving the swarm</source>
        <translation>Выход из роя</translation>
    </message>
    <message>
        <source>This run is complete</source>
        <translation>Этот проект завершён</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Выключено</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Запуск</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Идёт обучение</translation>
    </message>
    <message>
        <source>Slowed down</source>
        <translation>Замедлено</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Пауза</translation>
    </message>
    <message>
        <source>Finishing</source>
        <translation>Завершение</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Ожидание</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>Нужно внимание</translation>
    </message>
    <message>
        <source>Leaving</source>
        <translation>Выход</translation>
    </message>
    <message>
        <source>Complete</source>
        <translation>Завершено</translation>
    </message>
</context>
<context>
    <name>AlbumCard</name>
    <message>
        <source>Fill in the same words again</source>
        <translation>Подставить те же слова</translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln more picture(s)</source>
        <translation>
            <numerusform>Показать ещё %Ln картинку</numerusform>
            <numerusform>Показать ещё %Ln картинки</numerusform>
            <numerusform>Показать ещё %Ln картинок</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Albums</name>
    <message>
        <source>best {kept} of {drawn}</source>
        <extracomment>Of the pictures that were drawn, so many were kept.</extracomment>
        <translation>лучшие {kept} из {drawn}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln picture(s)</source>
        <translation>
            <numerusform>%Ln картинка</numerusform>
            <numerusform>%Ln картинки</numerusform>
            <numerusform>%Ln картинок</numerusform>
        </translation>
    </message>
    <message>
        <source>epoch {epoch}</source>
        <translation>эпоха {epoch}</translation>
    </message>
    <message>
        <source>All were kept, as they could not be ranked. {reason}</source>
        <extracomment>{reason} is a whole English sentence.</extracomment>
        <translation>Сохранены все, так как их не удалось оценить. {reason}</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Эпоха</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Зерно</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Номер</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Оценка</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Температура</translation>
    </message>
    <message>
        <source>Likeliest codes</source>
        <translation>Вероятнейшие коды</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <extracomment>Such as &quot;3 of 16&quot;.</extracomment>
        <translation>{number} из {total}</translation>
    </message>
    <message>
        <source>{prompt}, picture {number} of {total}</source>
        <translation>{prompt}, картинка {number} из {total}</translation>
    </message>
</context>
<context>
    <name>Amounts</name>
    <message>
        <source>{number}%</source>
        <extracomment>A percentage; {number} is written already. German, French, Spanish and Russian put a (hard) space before %.</extracomment>
        <translation>{number}&#xa0;%</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>МБ</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>ГБ</translation>
    </message>
    <message>
        <source>TB</source>
        <translation>ТБ</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>МиБ</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>ГиБ</translation>
    </message>
    <message>
        <source>TiB</source>
        <translation>ТиБ</translation>
    </message>
    <message>
        <source>kB/s</source>
        <translation>кБ/с</translation>
    </message>
    <message>
        <source>MB/s</source>
        <translation>МБ/с</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>ГБ/с</translation>
    </message>
    <message>
        <source>kbit/s</source>
        <translation>кбит/с</translation>
    </message>
    <message>
        <source>Mbit/s</source>
        <translation>Мбит/с</translation>
    </message>
    <message>
        <source>Gbit/s</source>
        <translation>Гбит/с</translation>
    </message>
    <message>
        <source>{minutes} min</source>
        <translation>{minutes}&#xa0;мин</translation>
    </message>
    <message>
        <source>{size}/s</source>
        <extracomment>A speed; {size} is such as &quot;1.2 MB&quot;.</extracomment>
        <translation>{size}/с</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds}&#xa0;с</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <extracomment>How a date is written: d, day; MMM, short name of the month; yyyy, year; other letters in &apos;quotes&apos;.</extracomment>
        <translation>d MMM yyyy</translation>
    </message>
    <message>
        <source>d MMM</source>
        <extracomment>How a date without its year is written: d, day; MMM, short name of the month; other letters in &apos;quotes&apos;.</extracomment>
        <translation>d MMM</translation>
    </message>
    <message>
        <source>{weekday}, {time}</source>
        <extracomment>A moment of the days around today, such as &quot;Tuesday, 14:30&quot;.</extracomment>
        <translation>{weekday}, {time}</translation>
    </message>
    <message>
        <source>{date}, {time}</source>
        <extracomment>A moment, such as &quot;1 Mar 2026, 14:30&quot;.</extracomment>
        <translation>{date}, {time}</translation>
    </message>
    <message>
        <source>{number} Wh</source>
        <translation>{number}&#xa0;Вт·ч</translation>
    </message>
    <message>
        <source>{number} kWh</source>
        <translation>{number}&#xa0;кВт·ч</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes}&#xa0;мин {seconds}&#xa0;с</translation>
    </message>
    <message>
        <source>{hours} h</source>
        <translation>{hours}&#xa0;ч</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours}&#xa0;ч {minutes}&#xa0;мин</translation>
    </message>
    <message>
        <source>{days} d</source>
        <translation>{days}&#xa0;сут</translation>
    </message>
    <message>
        <source>{days} d {hours} h</source>
        <translation>{days}&#xa0;сут {hours}&#xa0;ч</translation>
    </message>
</context>
<context>
    <name>AppCard</name>
    <message>
        <source>This app</source>
        <translation>Это приложение</translation>
    </message>
    <message>
        <source>Same as the system</source>
        <translation>Как в системе</translation>
    </message>
    <message>
        <source>A new language takes effect the next time Idlebrush starts.</source>
        <translation>Новый язык вступит в силу при следующем запуске Idlebrush.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Язык</translation>
    </message>
    <message>
        <source>System</source>
        <translation>Система</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Светлое</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Тёмное</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Оформление</translation>
    </message>
    <message>
        <source>Light, dark, or the same as the system.</source>
        <translation>Светлое, тёмное или как в системе.</translation>
    </message>
    <message>
        <source>When you are signed out, something needs your attention, you reach your best rank, or a run is complete.</source>
        <translation>Когда вы вышли из учётной записи, нужно ваше внимание, вы заняли лучшее место или проект завершён.</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Уведомления</translation>
    </message>
    <message>
        <source>Stay in the tray</source>
        <translation>Остаться в трее</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Выйти</translation>
    </message>
    <message>
        <source>What happens to the app, if the desktop has a tray.</source>
        <translation>Что происходит с приложением, если на рабочем столе есть трей.</translation>
    </message>
    <message>
        <source>When the window is closed</source>
        <translation>Когда окно закрывают</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>Спросить</translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation>Продолжать обучение</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Остановить</translation>
    </message>
    <message>
        <source>What happens to training in the background.</source>
        <translation>Что происходит с обучением в фоне.</translation>
    </message>
    <message>
        <source>When the app is quit</source>
        <translation>Когда из приложения выходят</translation>
    </message>
</context>
<context>
    <name>Badge</name>
    <message>
        <source>Reached on {day}</source>
        <translation>Получено {day}</translation>
    </message>
</context>
<context>
    <name>Badges</name>
    <message numerus="yes">
        <source>Trained on %Ln sample(s)</source>
        <translation>
            <numerusform>Обучено на %Ln примере</numerusform>
            <numerusform>Обучено на %Ln примерах</numerusform>
            <numerusform>Обучено на %Ln примерах</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Gave %Ln hour(s) of computing</source>
        <translation>
            <numerusform>Отдан %Ln час вычислений</numerusform>
            <numerusform>Отдано %Ln часа вычислений</numerusform>
            <numerusform>Отдано %Ln часов вычислений</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Contributed on %Ln day(s) in a row</source>
        <translation>
            <numerusform>Участие %Ln день подряд</numerusform>
            <numerusform>Участие %Ln дня подряд</numerusform>
            <numerusform>Участие %Ln дней подряд</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Took part in %Ln epoch(s) of the swarm</source>
        <translation>
            <numerusform>Участие в %Ln эпохе роя</numerusform>
            <numerusform>Участие в %Ln эпохах роя</numerusform>
            <numerusform>Участие в %Ln эпохах роя</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Trained through %Ln night(s)</source>
        <translation>
            <numerusform>Обучение %Ln ночь напролёт</numerusform>
            <numerusform>Обучение %Ln ночи напролёт</numerusform>
            <numerusform>Обучение %Ln ночей напролёт</numerusform>
        </translation>
    </message>
    <message>
        <source>One hundred</source>
        <translation>Сто</translation>
    </message>
    <message>
        <source>One thousand</source>
        <translation>Тысяча</translation>
    </message>
    <message>
        <source>Ten thousand</source>
        <translation>Десять тысяч</translation>
    </message>
    <message>
        <source>A hundred thousand</source>
        <translation>Сто тысяч</translation>
    </message>
    <message>
        <source>One million</source>
        <translation>Миллион</translation>
    </message>
    <message>
        <source>Ten hours</source>
        <translation>Десять часов</translation>
    </message>
    <message>
        <source>Around the clock</source>
        <translation>Круглые сутки</translation>
    </message>
    <message>
        <source>A hundred hours</source>
        <translation>Сто часов</translation>
    </message>
    <message>
        <source>A thousand hours</source>
        <translation>Тысяча часов</translation>
    </message>
    <message>
        <source>Three days in a row</source>
        <translation>Три дня подряд</translation>
    </message>
    <message>
        <source>A week in a row</source>
        <translation>Неделя подряд</translation>
    </message>
    <message>
        <source>A month in a row</source>
        <translation>Месяц подряд</translation>
    </message>
    <message>
        <source>A hundred days in a row</source>
        <translation>Сто дней подряд</translation>
    </message>
    <message>
        <source>First epoch</source>
        <translation>Первая эпоха</translation>
    </message>
    <message>
        <source>A hundred epochs</source>
        <translation>Сто эпох</translation>
    </message>
    <message>
        <source>A thousand epochs</source>
        <translation>Тысяча эпох</translation>
    </message>
    <message>
        <source>Night painter</source>
        <translation>Ночной художник</translation>
    </message>
    <message>
        <source>A month of nights</source>
        <translation>Месяц ночей</translation>
    </message>
</context>
<context>
    <name>BadgesCard</name>
    <message>
        <source>Badges</source>
        <translation>Значки</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Dismiss</source>
        <translation>Закрыть</translation>
    </message>
</context>
<context>
    <name>BarChart</name>
    <message numerus="yes">
        <source>%Ln value(s) from {start} to {end}; the highest is {high} at {best}. Arrow keys read single values.</source>
        <translation>
            <numerusform>%Ln значение от {start} до {end}; наибольшее — {high}, {best}. Стрелки читают отдельные значения.</numerusform>
            <numerusform>%Ln значения от {start} до {end}; наибольшее — {high}, {best}. Стрелки читают отдельные значения.</numerusform>
            <numerusform>%Ln значений от {start} до {end}; наибольшее — {high}, {best}. Стрелки читают отдельные значения.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BoardModel</name>
    <message>
        <source>Rank</source>
        <translation>Место</translation>
    </message>
    <message>
        <source>Volunteer</source>
        <translation>Участник</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Примеры</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>Вычисления</translation>
    </message>
</context>
<context>
    <name>BoardTable</name>
    <message>
        <source>Leaderboard</source>
        <translation>Таблица лидеров</translation>
    </message>
</context>
<context>
    <name>ChartCard</name>
    <message>
        <source>Over time</source>
        <translation>Динамика</translation>
    </message>
    <message>
        <source>What is counted</source>
        <translation>Что считается</translation>
    </message>
</context>
<context>
    <name>CodePanel</name>
    <message>
        <source>There, enter this code:</source>
        <translation>Введите там этот код:</translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation>Открыть в браузере</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Отмена</translation>
    </message>
    <message>
        <source>Code {code}</source>
        <extracomment>{code} is to be read out letter by letter.</extracomment>
        <translation>Код {code}</translation>
    </message>
    <message>
        <source>Open {address}, here or on your phone.</source>
        <translation>Откройте {address} здесь или на телефоне.</translation>
    </message>
    <message>
        <source>Go on in your browser, which shows {address}.</source>
        <translation>Продолжите в браузере, где открыт адрес {address}.</translation>
    </message>
    <message>
        <source>Copy the code</source>
        <translation>Копировать код</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>Копировать адрес</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Скопировано</translation>
    </message>
</context>
<context>
    <name>ConsentScreen</name>
    <message>
        <source>I agree that this computer trains this run as described above.</source>
        <translation>Разрешаю этому компьютеру участвовать в этом проекте, как описано выше.</translation>
    </message>
    <message>
        <source>Agree</source>
        <translation>Согласиться</translation>
    </message>
    <message>
        <source>Open Idlebrush</source>
        <translation>Открыть Idlebrush</translation>
    </message>
    <message>
        <source>Start training</source>
        <translation>Начать обучение</translation>
    </message>
    <message>
        <source>Check the box if you agree.</source>
        <translation>Установите флажок, если согласны.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Попробовать снова</translation>
    </message>
    <message>
        <source>Downloading the run&apos;s files</source>
        <translation>Загрузка файлов проекта</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Отмена</translation>
    </message>
    <message>
        <source>Do you agree?</source>
        <translation>Вы согласны?</translation>
    </message>
    <message>
        <source>This is what will happen once you do.</source>
        <translation>Вот что произойдёт, когда вы согласитесь.</translation>
    </message>
    <message>
        <source>I have compared the key {key} with the one that the organiser published.</source>
        <extracomment>{key} is a row of letters and digits.</extracomment>
        <translation>Ключ {key} сверен с тем, который опубликовал организатор.</translation>
    </message>
    <message>
        <source>It trains when you are away</source>
        <translation>Обучение идёт, когда вас нет</translation>
    </message>
    <message>
        <source>You are part of the run now</source>
        <translation>Теперь вы участник проекта</translation>
    </message>
    <message>
        <source>That is all. Idlebrush stays near the clock; open it to see the pictures get better.</source>
        <translation>Это всё. Idlebrush остаётся рядом с часами; откройте его, чтобы увидеть, как улучшаются картинки.</translation>
    </message>
</context>
<context>
    <name>ContributionPage</name>
    <message>
        <source>By day</source>
        <translation>По дням</translation>
    </message>
    <message>
        <source>By week</source>
        <translation>По неделям</translation>
    </message>
    <message>
        <source>All time</source>
        <translation>За всё время</translation>
    </message>
    <message>
        <source>Which time</source>
        <translation>За какое время</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Этот проект</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>Все проекты</translation>
    </message>
    <message>
        <source>Which runs</source>
        <translation>Какие проекты</translation>
    </message>
    <message>
        <source>It begins with the first epoch that this computer takes part in.</source>
        <translation>Начнётся с первой эпохи, в которой участвует этот компьютер.</translation>
    </message>
    <message>
        <source>No contribution yet</source>
        <translation>Вклада пока нет</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Попробовать снова</translation>
    </message>
</context>
<context>
    <name>ContributionView</name>
    <message numerus="yes">
        <source>%Ln day(s)</source>
        <translation>
            <numerusform>%Ln день</numerusform>
            <numerusform>%Ln дня</numerusform>
            <numerusform>%Ln дней</numerusform>
        </translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Примеры</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>Часы</translation>
    </message>
    <message>
        <source>Watt-hours</source>
        <translation>Ватт-часы</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Ничего</translation>
    </message>
    <message numerus="yes">
        <source>%Ln sample(s)</source>
        <translation>
            <numerusform>%Ln пример</numerusform>
            <numerusform>%Ln примера</numerusform>
            <numerusform>%Ln примеров</numerusform>
        </translation>
    </message>
    <message>
        <source>Week of {day}</source>
        <translation>Неделя с {day}</translation>
    </message>
    <message>
        <source>MMM yyyy</source>
        <extracomment>A month with its year, such as &quot;Mar 2026&quot;: MMM, short name of the month; yyyy, year.</extracomment>
        <translation>MMM yyyy</translation>
    </message>
    <message>
        <source>In the last 30 days</source>
        <translation>За последние 30 дней</translation>
    </message>
    <message>
        <source>In the last 26 weeks</source>
        <translation>За последние 26 недель</translation>
    </message>
    <message>
        <source>Since you began</source>
        <translation>С самого начала</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>Вычисления</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Неизвестно</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Энергия</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Эпохи</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Отправлено</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>Получено</translation>
    </message>
    <message>
        <source>Contribute on two days in a row to start a streak.</source>
        <translation>Участвуйте два дня подряд, чтобы начать серию.</translation>
    </message>
    <message numerus="yes">
        <source>Your longest streak: %Ln day(s)</source>
        <translation>
            <numerusform>Ваша самая длинная серия: %Ln день</numerusform>
            <numerusform>Ваша самая длинная серия: %Ln дня</numerusform>
            <numerusform>Ваша самая длинная серия: %Ln дней</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EmbeddedWay</name>
    <message>
        <source>It learns to draw emoji from their names, in minutes rather than months. Nobody else takes part, and nothing leaves this computer. With so few pictures, the model learns them by heart: it shows how training works, but is of no use beyond that.</source>
        <translation>Модель учится рисовать эмодзи по их названиям — за минуты, а не за месяцы. Больше никто не участвует, и ничто не покидает этот компьютер. Картинок так мало, что модель заучивает их наизусть: это показывает, как идёт обучение, но для практики такая модель не годится.</translation>
    </message>
</context>
<context>
    <name>EpochCard</name>
    <message>
        <source>Epoch</source>
        <translation>Эпоха</translation>
    </message>
    <message>
        <source>The swarm&apos;s progress shows up once training has begun.</source>
        <translation>Прогресс роя появится, как только начнётся обучение.</translation>
    </message>
</context>
<context>
    <name>EpochRing</name>
    <message>
        <source>Progress of the epoch</source>
        <translation>Прогресс эпохи</translation>
    </message>
</context>
<context>
    <name>FileWay</name>
    <message>
        <source>Choose a file…</source>
        <translation>Выбрать файл…</translation>
    </message>
    <message>
        <source>Or drop it anywhere on this screen.</source>
        <translation>Или перетащите его в любое место этого экрана.</translation>
    </message>
    <message>
        <source>Choose a run&apos;s description</source>
        <translation>Выбрать описание проекта</translation>
    </message>
    <message>
        <source>Descriptions of runs (*.toml)</source>
        <translation>Описания проектов (*.toml)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Все файлы (*)</translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message>
        <source>Paste a token first.</source>
        <translation>Сначала вставьте токен.</translation>
    </message>
    <message>
        <source>That is far too long for a token. Copy only the token.</source>
        <translation>Для токена это слишком длинно. Скопируйте только токен.</translation>
    </message>
    <message>
        <source>That contains characters that no token has. Copy only the token.</source>
        <translation>Здесь есть знаки, которых в токенах не бывает. Скопируйте только токен.</translation>
    </message>
    <message>
        <source>Your sign-in is kept in this computer&apos;s keyring.</source>
        <translation>Данные входа хранятся в связке ключей этого компьютера.</translation>
    </message>
    <message>
        <source>Your sign-in is kept until Idlebrush ends.</source>
        <translation>Данные входа хранятся, пока работает Idlebrush.</translation>
    </message>
    <message>
        <source>Your sign-in is kept in a file that only you can read.</source>
        <translation>Данные входа хранятся в файле, который можете читать только вы.</translation>
    </message>
    <message>
        <source>This has expired.</source>
        <translation>Срок истёк.</translation>
    </message>
    <message>
        <source>Good for another {time}.</source>
        <extracomment>{time} is such as &quot;9 min 30 s&quot;.</extracomment>
        <translation>Действует ещё {time}.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Проект</translation>
    </message>
    <message>
        <source>It takes the place of {title}, which this computer trains now.</source>
        <translation>Он займёт место проекта {title}, в котором этот компьютер участвует сейчас.</translation>
    </message>
    <message>
        <source>Instead of</source>
        <translation>Вместо</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Этот компьютер</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Когда</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Загрузка</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>Трафик</translation>
    </message>
    <message>
        <source>Others see</source>
        <translation>Другие видят</translation>
    </message>
    <message>
        <source>Pause it or leave the run whenever you like, from the icon near the clock.</source>
        <translation>Приостановить или покинуть проект можно когда угодно — значком рядом с часами.</translation>
    </message>
    <message>
        <source>To stop</source>
        <translation>Как прекратить</translation>
    </message>
    <message>
        <source>Preparing to download the run&apos;s files…</source>
        <translation>Подготовка к загрузке файлов проекта…</translation>
    </message>
    <message>
        <source>Downloading the run&apos;s files: {share}, {size} to go.</source>
        <extracomment>{share} is such as &quot;42%&quot;, {size} such as &quot;1.2 GB&quot;.</extracomment>
        <translation>Загрузка файлов проекта: {share}, осталось {size}.</translation>
    </message>
    <message>
        <source>Leave this for now?</source>
        <translation>Отложить на потом?</translation>
    </message>
    <message>
        <source>Nothing is trained until you join a run. You can do that later, from the window.</source>
        <translation>Обучение не начнётся, пока вы не присоединитесь к проекту. Это можно сделать позже, из окна.</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Уйти</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Остаться</translation>
    </message>
    <message>
        <source>Organiser</source>
        <translation>Организатор</translation>
    </message>
    <message>
        <source>It comes with Idlebrush, and trains on this computer alone.</source>
        <translation>Поставляется с Idlebrush и выполняется только на этом компьютере.</translation>
    </message>
    <message>
        <source>It has no website; its key is {key}.</source>
        <translation>У него нет сайта; его ключ — {key}.</translation>
    </message>
    <message>
        <source>{where}, with the key {key}</source>
        <extracomment>{where} is a website, {key} a row of letters and digits.</extracomment>
        <translation>{where}, ключ {key}</translation>
    </message>
    <message>
        <source>Nothing: all of its files are here.</source>
        <translation>Ничего: все файлы уже здесь.</translation>
    </message>
    <message>
        <source>{size}, once, before it begins.</source>
        <translation>{size}, один раз, перед началом.</translation>
    </message>
    <message>
        <source>None: there is nobody to exchange anything with.</source>
        <translation>Нет: обмениваться не с кем.</translation>
    </message>
    <message>
        <source>At most about {size} each way in a day without a pause, among 16 computers like this one. You can set limits in the preferences.</source>
        <translation>Примерно до {size} в каждую сторону за сутки без пауз при 16 таких компьютерах. Ограничения можно задать в настройках.</translation>
    </message>
    <message>
        <source>At most about {size} each way for every step that all take together.</source>
        <translation>Примерно до {size} в каждую сторону на каждый шаг, который все делают вместе.</translation>
    </message>
    <message>
        <source>Nothing. None of your files is read or sent.</source>
        <translation>Ничего. Ваши файлы не читаются и не отправляются.</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address, how fast it trains, and your user name, which you can hide on the run&apos;s pages. None of your files is read or sent.</source>
        <translation>Интернет-адрес этого компьютера, скорость обучения на нём и ваше имя пользователя, которое можно скрыть на страницах проекта. Ваши файлы не читаются и не отправляются.</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address and how fast it trains, under a random name. None of your files is read or sent.</source>
        <translation>Интернет-адрес этого компьютера и скорость обучения на нём, под случайным именем. Ваши файлы не читаются и не отправляются.</translation>
    </message>
    <message>
        <source>Loading the run to try it out. On a busy computer that takes a while…</source>
        <translation>Проект загружается для пробы. На загруженном компьютере это займёт время…</translation>
    </message>
    <message>
        <source>This computer is trying the run out…</source>
        <translation>Этот компьютер пробует проект…</translation>
    </message>
    <message>
        <source>See how fast this computer is: it tries the run out for a minute.</source>
        <translation>Узнайте, насколько быстр этот компьютер: он пробует проект в течение минуты.</translation>
    </message>
    <message>
        <source>About {rate} samples an hour. Each step takes {target} from all together.</source>
        <extracomment>{rate} is a number; the model learns from samples: pictures with their descriptions.</extracomment>
        <translation>Около {rate} примеров в час. Каждому шагу нужно {target} от всех вместе.</translation>
    </message>
    <message>
        <source>This run admits members of {organisation} on the Hugging Face Hub.</source>
        <translation>Этот проект принимает участников {organisation} на Hugging Face Hub.</translation>
    </message>
    <message>
        <source>This run admits people on its organiser&apos;s list.</source>
        <translation>Этот проект принимает тех, кого организатор внёс в список.</translation>
    </message>
    <message>
        <source>This run admits people whom its organiser has invited.</source>
        <translation>Этот проект принимает тех, кого пригласил организатор.</translation>
    </message>
    <message>
        <source>This run admits anyone who signs in with the Hugging Face Hub.</source>
        <translation>Этот проект принимает всех, кто входит через Hugging Face Hub.</translation>
    </message>
    <message>
        <source>You sign in at {hub}. That proves to {coordinator}, and to nobody else, who you are: the organiser learns your user name, and gets no access to your account.</source>
        <translation>Вы входите на {hub}. Это подтверждает вашу личность только для {coordinator}: организатор узнаёт ваше имя пользователя и не получает доступа к вашей учётной записи.</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background.</source>
        <translation>Idlebrush не работает в фоне.</translation>
    </message>
    <message>
        <source>The sign-in is still under way.</source>
        <translation>Вход ещё выполняется.</translation>
    </message>
    <message>
        <source>Choose a run first.</source>
        <translation>Сначала выберите проект.</translation>
    </message>
    <message>
        <source>One moment: looking at the run.</source>
        <translation>Одну минуту: проект изучается.</translation>
    </message>
    <message>
        <source>Choose a run that can be joined.</source>
        <translation>Выберите проект, к которому можно присоединиться.</translation>
    </message>
    <message>
        <source>This run is too large for this computer.</source>
        <translation>Этот проект слишком велик для этого компьютера.</translation>
    </message>
    <message>
        <source>Sign in to this run first.</source>
        <translation>Сначала войдите в этот проект.</translation>
    </message>
    <message>
        <source>While I am away</source>
        <translation>Когда меня нет</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Всегда</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Никогда</translation>
    </message>
    <message>
        <source>At any hour</source>
        <translation>В любой час</translation>
    </message>
    <message>
        <source>Evenings, nights and weekends</source>
        <translation>Вечером, ночью и в выходные</translation>
    </message>
    <message>
        <source>At night</source>
        <translation>Ночью</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>Полная скорость</translation>
    </message>
    <message>
        <source>Three quarters of the time</source>
        <translation>Три четверти времени</translation>
    </message>
    <message>
        <source>Half of the time, cooler and quieter</source>
        <translation>Половина времени, прохладнее и тише</translation>
    </message>
    <message>
        <source>A quarter of the time, hardly noticed</source>
        <translation>Четверть времени, почти незаметно</translation>
    </message>
    <message>
        <source>As set: {value}</source>
        <extracomment>{value} is what was set elsewhere, such as &quot;mon-fri 18:00-08:00&quot;.</extracomment>
        <translation>Как задано: {value}</translation>
    </message>
    <message>
        <source>Whenever your preferences allow it.</source>
        <translation>Когда разрешают ваши настройки.</translation>
    </message>
    <message>
        <source>It always trains, even while you use the computer.</source>
        <translation>Обучение идёт всегда, даже пока вы пользуетесь компьютером.</translation>
    </message>
    <message>
        <source>It does not train until you allow it.</source>
        <translation>Обучение не начнётся, пока вы не разрешите.</translation>
    </message>
    <message>
        <source>It trains once nobody has used the computer for {idle}. {hours}.</source>
        <extracomment>{idle} is such as &quot;3 min&quot;; {hours} is such as &quot;At any hour&quot;, &quot;At night&quot;.</extracomment>
        <translation>Обучение идёт, когда компьютером никто не пользовался {idle}. {hours}.</translation>
    </message>
    <message>
        <source>It rests only when the computer gets hot or runs low on battery or memory.</source>
        <translation>Пауза только при перегреве или когда не хватает заряда батареи или памяти.</translation>
    </message>
    <message>
        <source>It trains on battery as well.</source>
        <translation>Обучение идёт и при работе от батареи.</translation>
    </message>
    <message>
        <source>It rests on battery, during games and videos, and when it gets hot.</source>
        <translation>Пауза при работе от батареи, во время игр и видео и при перегреве.</translation>
    </message>
    <message>
        <source>It computes for at most {share} of the time.</source>
        <extracomment>{share} is such as &quot;50%&quot;.</extracomment>
        <translation>Вычисления занимают не более {share} времени.</translation>
    </message>
    <message>
        <source>It starts when you log in.</source>
        <translation>Запускается при входе в систему.</translation>
    </message>
    <message>
        <source>It starts when you open Idlebrush.</source>
        <translation>Запускается, когда вы открываете Idlebrush.</translation>
    </message>
    <message>
        <source>Welcome to Idlebrush</source>
        <translation>Добро пожаловать в Idlebrush</translation>
    </message>
    <message>
        <source>Join a run</source>
        <translation>Присоединиться к проекту</translation>
    </message>
</context>
<context>
    <name>Foot</name>
    <message>
        <source>Back</source>
        <translation>Назад</translation>
    </message>
</context>
<context>
    <name>GalleryPage</name>
    <message>
        <source>The run</source>
        <translation>Проект</translation>
    </message>
    <message>
        <source>My pictures</source>
        <translation>Мои картинки</translation>
    </message>
    <message>
        <source>Which pictures</source>
        <translation>Какие картинки</translation>
    </message>
</context>
<context>
    <name>GatePanel</name>
    <message>
        <source>Only members train this run</source>
        <translation>Этот проект только для его участников</translation>
    </message>
    <message>
        <source>Code of your invitation</source>
        <translation>Код вашего приглашения</translation>
    </message>
    <message>
        <source>Sign in with the browser</source>
        <translation>Войти через браузер</translation>
    </message>
    <message>
        <source>Get a code instead</source>
        <translation>Получить код вместо этого</translation>
    </message>
    <message>
        <source>You are admitted to this run.</source>
        <translation>Вы допущены к этому проекту.</translation>
    </message>
    <message>
        <source>Only until Idlebrush ends</source>
        <translation>Только пока работает Idlebrush</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot keep your membership</source>
        <translation>Связка ключей этого компьютера не может хранить данные о вашем участии</translation>
    </message>
    <message>
        <source>Unlock it and try again, or sign in until Idlebrush ends.</source>
        <translation>Разблокируйте её и попробуйте снова или войдите, пока работает Idlebrush.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Попробовать снова</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Website of the run</source>
        <translation>Сайт проекта</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>Версия {version}</translation>
    </message>
    <message>
        <source>System</source>
        <translation>Система</translation>
    </message>
    <message>
        <source>In the background</source>
        <translation>В фоне</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Скопировано</translation>
    </message>
    <message>
        <source>Copy details for a bug report</source>
        <translation>Копировать сведения для отчёта об ошибке</translation>
    </message>
    <message>
        <source>Idle computers together train a model that draws what it is told to.</source>
        <translation>Свободные компьютеры вместе обучают модель, которая рисует то, что ей скажут.</translation>
    </message>
</context>
<context>
    <name>Hero</name>
    <message>
        <source>Website</source>
        <translation>Сайт</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Пауза</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Продолжить</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Попробовать снова</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>Временная пауза</translation>
    </message>
    <message>
        <source>Finish this epoch</source>
        <translation>Завершить эту эпоху</translation>
    </message>
    <message>
        <source>Train anyway</source>
        <translation>Всё равно обучать</translation>
    </message>
    <message>
        <source>Back to my preferences</source>
        <translation>Вернуться к моим настройкам</translation>
    </message>
</context>
<context>
    <name>HoursEditor</name>
    <message>
        <source>Drag to paint, or move with the arrow keys and press Space. Or type the hours into the field.</source>
        <translation>Рисуйте мышью или двигайтесь стрелками и нажимайте пробел. Или впишите часы в поле.</translation>
    </message>
    <message>
        <source>{preference}, as text</source>
        <translation>{preference}, текстом</translation>
    </message>
</context>
<context>
    <name>HoursGrid</name>
    <message>
        <source>{day}, {time}: training is allowed</source>
        <translation>{day}, {time}: обучение разрешено</translation>
    </message>
    <message>
        <source>{day}, {time}: training pauses</source>
        <translation>{day}, {time}: обучение на паузе</translation>
    </message>
</context>
<context>
    <name>KeepingCard</name>
    <message>
        <source>For your records</source>
        <translation>Для вашего архива</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Экспорт</translation>
    </message>
    <message>
        <source>Get signed receipts</source>
        <translation>Получить подписанные квитанции</translation>
    </message>
    <message>
        <source>Open my page on the website</source>
        <translation>Открыть мою страницу на сайте</translation>
    </message>
    <message>
        <source>A file with a row for each day. The run&apos;s coordinator also signs receipts for what you gave.</source>
        <translation>Файл со строкой на каждый день. Координатор проекта также подписывает квитанции за ваш вклад.</translation>
    </message>
    <message>
        <source>A file with a row for each day, for a spreadsheet or a program.</source>
        <translation>Файл со строкой на каждый день, для электронной таблицы или программы.</translation>
    </message>
    <message>
        <source>For a spreadsheet (CSV)</source>
        <translation>Для электронной таблицы (CSV)</translation>
    </message>
    <message>
        <source>For programs (JSON)</source>
        <translation>Для программ (JSON)</translation>
    </message>
    <message>
        <source>Export my contribution</source>
        <translation>Экспорт моего вклада</translation>
    </message>
    <message>
        <source>{format} files (*.{ending})</source>
        <translation>Файлы {format} (*.{ending})</translation>
    </message>
    <message>
        <source>Your contribution was saved as {file}</source>
        <translation>Ваш вклад сохранён как {file}</translation>
    </message>
    <message>
        <source>The file could not be written</source>
        <translation>Файл не удалось записать</translation>
    </message>
    <message>
        <source>Choose another folder, or free some space. The system says: {why}</source>
        <translation>Выберите другую папку или освободите место. Система сообщает: {why}</translation>
    </message>
    <message>
        <source>Downloading and checking the receipts</source>
        <translation>Квитанции загружаются и проверяются</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Отмена</translation>
    </message>
    <message>
        <source>Your signed receipts are on this computer</source>
        <translation>Ваши подписанные квитанции на этом компьютере</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Открыть папку</translation>
    </message>
</context>
<context>
    <name>LargePicture</name>
    <message>
        <source>Save…</source>
        <translation>Сохранить…</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Копировать картинку</translation>
    </message>
    <message>
        <source>Draw again…</source>
        <translation>Нарисовать снова…</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Открыть папку</translation>
    </message>
    <message>
        <source>The picture is saved</source>
        <translation>Картинка сохранена</translation>
    </message>
    <message>
        <source>{reason}. Choose another folder.</source>
        <translation>{reason}. Выберите другую папку.</translation>
    </message>
    <message>
        <source>The picture could not be saved</source>
        <translation>Картинку не удалось сохранить</translation>
    </message>
    <message>
        <source>The picture is on the clipboard</source>
        <translation>Картинка в буфере обмена</translation>
    </message>
</context>
<context>
    <name>LeaderboardPage</name>
    <message>
        <source>Samples</source>
        <translation>Примеры</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Время</translation>
    </message>
    <message>
        <source>Ranked by</source>
        <translation>Сортировка</translation>
    </message>
    <message>
        <source>All time</source>
        <translation>За всё время</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Последние 7 дней</translation>
    </message>
    <message>
        <source>Which time</source>
        <translation>За какое время</translation>
    </message>
    <message>
        <source>Show my row</source>
        <translation>Показать мою строку</translation>
    </message>
    <message>
        <source>Hide my name from others</source>
        <translation>Скрыть моё имя от других</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Выбрать проект</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Попробовать снова</translation>
    </message>
</context>
<context>
    <name>LeaderboardView</name>
    <message>
        <source>Hidden volunteer</source>
        <translation>Анонимный участник</translation>
    </message>
    <message>
        <source>{name} (you, hidden from others)</source>
        <translation>{name} (вы, скрыто от других)</translation>
    </message>
    <message>
        <source>{name} (you)</source>
        <translation>{name} (вы)</translation>
    </message>
    <message>
        <source>Volunteers so far: {total}. You are not among them yet.</source>
        <translation>Участников: {total}. Вас среди них ещё нет.</translation>
    </message>
    <message>
        <source>You are number {rank} of {total}.</source>
        <translation>Ваше место: {rank} из {total}.</translation>
    </message>
    <message>
        <source>Volunteers so far: {total}. Nobody signs in to this run, so it is not known which row is yours.</source>
        <translation>Участников: {total}. В этом проекте никто не выполняет вход, поэтому неизвестно, какая строка ваша.</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Нет связи</translation>
    </message>
    <message>
        <source>The leaderboard shows up once Idlebrush runs in the background.</source>
        <translation>Таблица лидеров появится, когда Idlebrush заработает в фоне.</translation>
    </message>
    <message>
        <source>You have not joined a run yet</source>
        <translation>Вы ещё не присоединились к проекту</translation>
    </message>
    <message>
        <source>Join a run, and see here how your contribution compares.</source>
        <translation>Присоединитесь к проекту и увидите здесь, как выглядит ваш вклад среди других.</translation>
    </message>
    <message>
        <source>This run has no leaderboard</source>
        <translation>У этого проекта нет таблицы лидеров</translation>
    </message>
    <message>
        <source>Its organiser does not count contributions. Yours is counted on this computer: see My contribution.</source>
        <translation>Его организатор не ведёт учёт вклада. Ваш вклад считается на этом компьютере: см. «Мой вклад».</translation>
    </message>
    <message>
        <source>Nobody here yet</source>
        <translation>Здесь пока никого нет</translation>
    </message>
    <message>
        <source>It begins with the first epoch that somebody takes part in.</source>
        <translation>Начнётся с первой эпохи, в которой кто-нибудь участвует.</translation>
    </message>
    <message>
        <source>Best rank: {rank}, on {day}</source>
        <translation>Лучшее место: {rank}, {day}</translation>
    </message>
</context>
<context>
    <name>LicenceCard</name>
    <message>
        <source>Licences</source>
        <translation>Лицензии</translation>
    </message>
    <message>
        <source>Which licence</source>
        <translation>Какая лицензия</translation>
    </message>
    <message>
        <source>Its text</source>
        <translation>Её текст</translation>
    </message>
    <message>
        <source>This text cannot be read: {reason}.</source>
        <translation>Этот текст нельзя прочитать: {reason}.</translation>
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
        <translation>Встроенный проект: откуда он</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Библиотеки</translation>
    </message>
    <message>
        <source>The windows are made with Qt, by the Qt Company and contributors, and with Qt for Python (PySide6). Idlebrush uses both under the GNU Lesser General Public License, version 3. They are separate files beside Idlebrush: you may replace them by versions of your own, and take them apart to find faults in your changes.

The licence: https://www.gnu.org/licenses/lgpl-3.0.html
The sources: https://download.qt.io/official_releases/QtForPython/</source>
        <translation>Окна сделаны с помощью Qt, созданного Qt Company и участниками, и Qt for Python (PySide6). Idlebrush использует их по лицензии GNU Lesser General Public License версии 3. Это отдельные файлы рядом с Idlebrush: вы можете заменить их своими версиями и разбирать их, чтобы находить ошибки в своих изменениях.

Лицензия: https://www.gnu.org/licenses/lgpl-3.0.html
Исходные тексты: https://download.qt.io/official_releases/QtForPython/</translation>
    </message>
    <message>
        <source>see its package</source>
        <translation>см. его пакет</translation>
    </message>
</context>
<context>
    <name>LineChart</name>
    <message>
        <source>From {first} at {start} to {last} at {end}; the lowest is {low}, the highest {high}. Arrow keys read single values.</source>
        <translation>От {first} ({start}) до {last} ({end}); наименьшее значение — {low}, наибольшее — {high}. Стрелки читают отдельные значения.</translation>
    </message>
</context>
<context>
    <name>Lines</name>
    <message>
        <source>{button}: {what}</source>
        <extracomment>Of a button such as &quot;Change this&quot;: {what} is what it helps against.</extracomment>
        <translation>{button}: {what}</translation>
    </message>
</context>
<context>
    <name>LinkWay</name>
    <message>
        <source>Link to the run</source>
        <translation>Ссылка на проект</translation>
    </message>
    <message>
        <source>Look at it</source>
        <translation>Посмотреть</translation>
    </message>
    <message>
        <source>That is not a link to a run: such a link begins with idlebrush: or https://</source>
        <translation>Это не ссылка на проект: она начинается с idlebrush: или https://</translation>
    </message>
</context>
<context>
    <name>Log</name>
    <message>
        <source>Detail</source>
        <translation>Подробности</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>Сведения</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Предупреждение</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Ошибка</translation>
    </message>
</context>
<context>
    <name>LogPage</name>
    <message>
        <source>Copy</source>
        <translation>Копировать</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Открыть папку</translation>
    </message>
    <message>
        <source>This log cannot be read</source>
        <translation>Этот журнал нельзя прочитать</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Ничего не найдено</translation>
    </message>
    <message>
        <source>No line at this level contains these words.</source>
        <translation>На этом уровне нет строк с такими словами.</translation>
    </message>
    <message>
        <source>Nothing here yet</source>
        <translation>Здесь пока ничего нет</translation>
    </message>
    <message>
        <source>What happens is recorded here.</source>
        <translation>Здесь записывается всё, что происходит.</translation>
    </message>
    <message>
        <source>Copies the selected lines, or all that are shown</source>
        <translation>Копирует выбранные строки или все показанные</translation>
    </message>
    <message>
        <source>The selected lines in full</source>
        <translation>Выбранные строки целиком</translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message>
        <source>Lines of the log</source>
        <translation>Строки журнала</translation>
    </message>
</context>
<context>
    <name>LossCurve</name>
    <message>
        <source>How the loss falls</source>
        <translation>Как снижается ошибка модели</translation>
    </message>
    <message>
        <source>The curve begins with the swarm&apos;s first epoch.</source>
        <translation>Кривая начнётся с первой эпохи роя.</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Эпоха</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Ошибка модели</translation>
    </message>
    <message>
        <source>Now {loss}, at the beginning {first}</source>
        <translation>Сейчас {loss}, в начале {first}</translation>
    </message>
</context>
<context>
    <name>Mosaic</name>
    <message>
        <source>A sunset over the sea, painted in small strokes that come out of noise</source>
        <translation>Закат над морем, написанный мелкими мазками, которые возникают из шума</translation>
    </message>
</context>
<context>
    <name>NamesEditor</name>
    <message>
        <source>Name of a program</source>
        <translation>Имя программы</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Добавить</translation>
    </message>
</context>
<context>
    <name>Navigation</name>
    <message>
        <source>Pages</source>
        <translation>Страницы</translation>
    </message>
</context>
<context>
    <name>Notifications</name>
    <message>
        <source>Something needs your attention</source>
        <translation>Нужно ваше внимание</translation>
    </message>
    <message>
        <source>You were signed out</source>
        <translation>Выполнен выход из учётной записи</translation>
    </message>
    <message>
        <source>Idlebrush needs your attention</source>
        <translation>Idlebrush требует вашего внимания</translation>
    </message>
    <message>
        <source>You are at rank {rank} of {of} in “{run}”.</source>
        <translation>Ваше место в проекте «{run}»: {rank} из {of}.</translation>
    </message>
    <message>
        <source>Your best rank so far</source>
        <translation>Ваше лучшее место на сегодня</translation>
    </message>
    <message>
        <source>“{run}” has done all of its epochs. Have a look at its pictures.</source>
        <translation>Проект «{run}» прошёл все эпохи. Взгляните на картинки.</translation>
    </message>
    <message>
        <source>The run is complete</source>
        <translation>Проект завершён</translation>
    </message>
</context>
<context>
    <name>NowPage</name>
    <message>
        <source>Nothing to train yet</source>
        <translation>Пока нечего обучать</translation>
    </message>
    <message>
        <source>Join a run, and this computer helps to teach a model to paint whenever you do not need it.</source>
        <translation>Присоединитесь к проекту, и этот компьютер поможет учить модель рисовать, пока он вам не нужен.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Выбрать проект</translation>
    </message>
    <message>
        <source>Once Idlebrush runs in the background, you see here what it does.</source>
        <translation>Когда Idlebrush заработает в фоне, здесь будет видно, что он делает.</translation>
    </message>
    <message>
        <source>One moment</source>
        <translation>Одну минуту</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Нет связи</translation>
    </message>
</context>
<context>
    <name>NowReasons</name>
    <message>
        <source>Resume</source>
        <translation>Продолжить</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Попробовать снова</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Выбрать проект</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Войти</translation>
    </message>
    <message>
        <source>Sign in to this run</source>
        <translation>Войти в этот проект</translation>
    </message>
    <message>
        <source>Change this</source>
        <translation>Изменить</translation>
    </message>
    <message>
        <source>Open the gallery</source>
        <translation>Открыть галерею</translation>
    </message>
    <message>
        <source>Open the log</source>
        <translation>Открыть журнал</translation>
    </message>
</context>
<context>
    <name>NowView</name>
    <message>
        <source>Training waits for data {percent} of the time</source>
        <translation>Обучение ждёт данные {percent} времени</translation>
    </message>
    <message>
        <source>The connection, or the limit you set for it, is slower than this computer.</source>
        <translation>Соединение или заданное вами ограничение медленнее этого компьютера.</translation>
    </message>
    <message>
        <source>{gathered} of {target} samples</source>
        <translation>{gathered} из {target} примеров</translation>
    </message>
    <message>
        <source>{count} by you</source>
        <translation>Ваших: {count}</translation>
    </message>
    <message>
        <source>Epoch {epoch}</source>
        <translation>Эпоха {epoch}</translation>
    </message>
    <message>
        <source>Epoch {epoch} of {total}</source>
        <translation>Эпоха {epoch} из {total}</translation>
    </message>
    <message>
        <source>About {duration} to go</source>
        <translation>Осталось около {duration}</translation>
    </message>
    <message>
        <source>The swarm&apos;s pace</source>
        <translation>Темп роя</translation>
    </message>
    <message>
        <source>Your pace</source>
        <translation>Ваш темп</translation>
    </message>
    <message>
        <source>Your samples in this epoch</source>
        <translation>Ваши примеры в этой эпохе</translation>
    </message>
    <message>
        <source>Your samples today</source>
        <translation>Ваши примеры сегодня</translation>
    </message>
    <message>
        <source>Peers in the swarm</source>
        <translation>Компьютеры в рое</translation>
    </message>
    <message>
        <source>Your rank among {total}</source>
        <translation>Ваше место среди {total}</translation>
    </message>
    <message>
        <source>samples per hour</source>
        <translation>примеров в час</translation>
    </message>
    <message>
        <source>samples per second</source>
        <translation>примеров в секунду</translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) for pictures wait for gaps in training</source>
        <translation>
            <numerusform>%Ln запрос картинок ждёт промежутка в обучении</numerusform>
            <numerusform>%Ln запроса картинок ждут промежутка в обучении</numerusform>
            <numerusform>%Ln запросов картинок ждут промежутка в обучении</numerusform>
        </translation>
    </message>
    <message>
        <source>How this computer trains</source>
        <translation>Как идёт обучение на этом компьютере</translation>
    </message>
    <message numerus="yes">
        <source>On the GPU, %Ln sample(s) at a time: {gpu_memory} of its memory, and {memory} of main memory.</source>
        <translation>
            <numerusform>На GPU, по %Ln примеру за раз: {gpu_memory} памяти GPU и {memory} оперативной памяти.</numerusform>
            <numerusform>На GPU, по %Ln примера за раз: {gpu_memory} памяти GPU и {memory} оперативной памяти.</numerusform>
            <numerusform>На GPU, по %Ln примеров за раз: {gpu_memory} памяти GPU и {memory} оперативной памяти.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>On the processor, %Ln sample(s) at a time: {memory} of memory.</source>
        <translation>
            <numerusform>На процессоре, по %Ln примеру за раз: {memory} памяти.</numerusform>
            <numerusform>На процессоре, по %Ln примера за раз: {memory} памяти.</numerusform>
            <numerusform>На процессоре, по %Ln примеров за раз: {memory} памяти.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NumberEditor</name>
    <message>
        <source>Unit of “{preference}”</source>
        <translation>Единица для «{preference}»</translation>
    </message>
    <message>
        <source>{preference}: {word}</source>
        <translation>{preference}: {word}</translation>
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
        <translation>{preference}: {word}</translation>
    </message>
</context>
<context>
    <name>Order</name>
    <message>
        <source>No model can read this.</source>
        <translation>Этого не прочтёт ни одна модель.</translation>
    </message>
    <message>
        <source>Say in plain words what the picture should show.</source>
        <translation>Скажите простыми словами, что должно быть на картинке.</translation>
    </message>
    <message>
        <source>Say what the pictures should show.</source>
        <translation>Скажите, что должно быть на картинках.</translation>
    </message>
    <message>
        <source>That is too long. A few words do best.</source>
        <translation>Слишком длинно. Лучше всего несколько слов.</translation>
    </message>
</context>
<context>
    <name>Outcome</name>
    <message>
        <source>See how its pictures came about</source>
        <translation>Посмотреть, как появились его картинки</translation>
    </message>
    <message>
        <source>All {epochs} epochs are done</source>
        <translation>Пройдены все эпохи: {epochs}</translation>
    </message>
    <message>
        <source>Thank you: “{run}” was trained by everybody who took part, and you are one of them.</source>
        <translation>Спасибо: модель проекта «{run}» обучили все, кто участвовал, и вы среди них.</translation>
    </message>
</context>
<context>
    <name>OwnPictures</name>
    <message>
        <source>Show older pictures</source>
        <translation>Показать более старые картинки</translation>
    </message>
    <message>
        <source>“{prompt}” is drawn</source>
        <translation>Нарисовано: «{prompt}»</translation>
    </message>
    <message>
        <source>Nothing drawn yet</source>
        <translation>Пока ничего не нарисовано</translation>
    </message>
    <message>
        <source>Type a few words above. The model draws many pictures and keeps the best.</source>
        <translation>Напишите выше несколько слов. Модель рисует много картинок и оставляет лучшие.</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Проекта пока нет</translation>
    </message>
    <message>
        <source>Choose a run: its model draws what you ask for.</source>
        <translation>Выберите проект: его модель рисует то, о чём вы просите.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Выбрать проект</translation>
    </message>
    <message>
        <source>“{prompt}” could not be drawn</source>
        <translation>«{prompt}» не удалось нарисовать</translation>
    </message>
    <message>
        <source>Your pictures cannot be read</source>
        <translation>Ваши картинки нельзя прочитать</translation>
    </message>
</context>
<context>
    <name>Plan</name>
    <message>
        <source>This run needs more memory than this computer can give.</source>
        <translation>Этому проекту нужно больше памяти, чем может дать этот компьютер.</translation>
    </message>
    <message>
        <source>Trains on {device} with {gpu_memory} of its memory and {memory} of main memory.</source>
        <extracomment>{gpu_memory} and {memory} are such as &quot;5.2 GB&quot;.</extracomment>
        <translation>Обучение на {device}: {gpu_memory} памяти GPU и {memory} оперативной памяти.</translation>
    </message>
    <message>
        <source>Trains on the processor with {memory} of memory.</source>
        <translation>Обучение на процессоре: {memory} памяти.</translation>
    </message>
    <message>
        <source>16-bit numbers (bfloat16)</source>
        <translation>16-битные числа (bfloat16)</translation>
    </message>
    <message>
        <source>16-bit numbers (float16)</source>
        <translation>16-битные числа (float16)</translation>
    </message>
    <message>
        <source>computing intermediate results again instead of keeping them</source>
        <translation>повторное вычисление промежуточных результатов вместо хранения</translation>
    </message>
    <message>
        <source>rebuilding intermediate results backwards instead of keeping them</source>
        <translation>восстановление промежуточных результатов в обратном порядке вместо хранения</translation>
    </message>
    <message>
        <source>computing the loss in parts</source>
        <translation>вычисление ошибки модели по частям</translation>
    </message>
    <message>
        <source>an 8-bit optimizer</source>
        <translation>8-битный оптимизатор</translation>
    </message>
    <message>
        <source>the optimizer in main memory</source>
        <translation>оптимизатор в оперативной памяти</translation>
    </message>
</context>
<context>
    <name>PlayBar</name>
    <message>
        <source>Play the time-lapse</source>
        <translation>Воспроизвести ускоренный показ</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Эпоха</translation>
    </message>
    <message>
        <source>Pause the time-lapse</source>
        <translation>Приостановить ускоренный показ</translation>
    </message>
    <message>
        <source>Epoch {epoch}</source>
        <translation>Эпоха {epoch}</translation>
    </message>
</context>
<context>
    <name>Plot</name>
    <message>
        <source>Nothing to show yet</source>
        <translation>Пока нечего показать</translation>
    </message>
</context>
<context>
    <name>Preferences</name>
    <message>
        <source>When to train</source>
        <translation>Когда идёт обучение</translation>
    </message>
    <message>
        <source>While you use the computer</source>
        <translation>Пока вы пользуетесь компьютером</translation>
    </message>
    <message>
        <source>Battery and heat</source>
        <translation>Батарея и нагрев</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>Другие программы</translation>
    </message>
    <message>
        <source>How much to use</source>
        <translation>Сколько ресурсов использовать</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Память</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Сеть</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Запуск</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Обучение</translation>
    </message>
    <message>
        <source>Hours of the week</source>
        <translation>Часы обучения</translation>
    </message>
    <message>
        <source>Not in use after</source>
        <translation>Считать свободным через</translation>
    </message>
    <message>
        <source>Processor while in use</source>
        <translation>Процессор, пока вы за компьютером</translation>
    </message>
    <message>
        <source>GPU while in use</source>
        <translation>GPU, пока вы за компьютером</translation>
    </message>
    <message>
        <source>Pause for full-screen applications</source>
        <translation>Пауза в полноэкранных приложениях</translation>
    </message>
    <message>
        <source>Pause for videos</source>
        <translation>Пауза во время видео</translation>
    </message>
    <message>
        <source>On battery</source>
        <translation>При работе от батареи</translation>
    </message>
    <message>
        <source>Lowest charge</source>
        <translation>Минимальный заряд</translation>
    </message>
    <message>
        <source>Hottest processor</source>
        <translation>Предел температуры процессора</translation>
    </message>
    <message>
        <source>Hottest GPU</source>
        <translation>Предел температуры GPU</translation>
    </message>
    <message>
        <source>Processor used by others</source>
        <translation>Процессор занят другими программами</translation>
    </message>
    <message>
        <source>GPU used by others</source>
        <translation>GPU занят другими программами</translation>
    </message>
    <message>
        <source>Exclusive applications</source>
        <translation>Приоритетные приложения</translation>
    </message>
    <message>
        <source>Share of the time</source>
        <translation>Доля времени</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>Потоки процессора</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Disk for runs</source>
        <translation>Диск для проектов</translation>
    </message>
    <message>
        <source>Disk left free</source>
        <translation>Оставить свободным на диске</translation>
    </message>
    <message>
        <source>Memory for training</source>
        <translation>Память для обучения</translation>
    </message>
    <message>
        <source>Memory left free</source>
        <translation>Оставить свободной памяти</translation>
    </message>
    <message>
        <source>GPU memory for training</source>
        <translation>Память GPU для обучения</translation>
    </message>
    <message>
        <source>GPU memory for others</source>
        <translation>Память GPU для других программ</translation>
    </message>
    <message>
        <source>Stay in memory for</source>
        <translation>Оставаться в памяти</translation>
    </message>
    <message>
        <source>Free the GPU at every pause</source>
        <translation>Освобождать GPU при каждой паузе</translation>
    </message>
    <message>
        <source>Upload speed</source>
        <translation>Скорость отправки</translation>
    </message>
    <message>
        <source>Download speed</source>
        <translation>Скорость получения</translation>
    </message>
    <message>
        <source>Traffic in a month</source>
        <translation>Трафик за месяц</translation>
    </message>
    <message>
        <source>Pause on metered connections</source>
        <translation>Пауза при лимитном подключении</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Порт</translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation>Запускать при входе в систему</translation>
    </message>
    <message>
        <source>“Always” ignores what is only for your convenience, and still respects what protects the computer and your bill: heat, memory, disk, lowest charge, metered connections and the month&apos;s traffic.</source>
        <translation>«Всегда» отменяет то, что служит вашему удобству, но соблюдает то, что бережёт компьютер и ваши расходы: нагрев, память, диск, минимальный заряд, лимитные подключения и трафик за месяц.</translation>
    </message>
    <message>
        <source>The hours of the week in which to train, in local time.</source>
        <translation>Часы недели, в которые идёт обучение, по местному времени.</translation>
    </message>
    <message>
        <source>How long keyboard and mouse must stay untouched before the computer counts as not in use.</source>
        <translation>Сколько времени нужно не касаться клавиатуры и мыши, чтобы компьютер считался свободным.</translation>
    </message>
    <message>
        <source>What happens to training on the processor while you use the computer: it pauses, or goes on for this share of the time.</source>
        <translation>Что происходит с обучением на процессоре, пока вы пользуетесь компьютером: пауза или работа в течение этой доли времени.</translation>
    </message>
    <message>
        <source>What happens to training on a GPU while you use the computer: it pauses, or goes on for this share of the time.</source>
        <translation>Что происходит с обучением на GPU, пока вы пользуетесь компьютером: пауза или работа в течение этой доли времени.</translation>
    </message>
    <message>
        <source>Pause while an application fills the screen, such as a game.</source>
        <translation>Пауза, пока приложение занимает весь экран, например игра.</translation>
    </message>
    <message>
        <source>Pause while an application keeps the screen on, such as a video player.</source>
        <translation>Пауза, пока приложение не даёт экрану гаснуть, например видеоплеер.</translation>
    </message>
    <message>
        <source>Whether training pauses while the computer runs on its battery.</source>
        <translation>Приостанавливать ли обучение, пока компьютер работает от батареи.</translation>
    </message>
    <message>
        <source>Training pauses below this charge, where it is allowed on battery.</source>
        <translation>Ниже этого заряда обучение приостанавливается, если при работе от батареи оно разрешено.</translation>
    </message>
    <message>
        <source>Pause while the processor is hotter than this, until it has cooled by 5 °C.</source>
        <translation>Пауза, если температура процессора выше этой, пока он не остынет на 5&#xa0;°C.</translation>
    </message>
    <message>
        <source>Pause while the GPU is hotter than this, until it has cooled by 5 °C.</source>
        <translation>Пауза, если температура GPU выше этой, пока он не остынет на 5&#xa0;°C.</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this of all processor cores.</source>
        <translation>Пауза, пока другие программы занимают больше этой доли всех ядер процессора.</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this of the GPU that trains.</source>
        <translation>Пауза, пока другие программы занимают больше этой доли GPU, на котором идёт обучение.</translation>
    </message>
    <message>
        <source>Nothing trains while one of these applications runs. Give the names of their programs.</source>
        <translation>Обучение не идёт, пока работает одно из этих приложений. Укажите имена их программ.</translation>
    </message>
    <message>
        <source>Never compute for more than this share of the time. Short breaks between steps make less heat and noise.</source>
        <translation>Никогда не вычислять дольше этой доли времени. Короткие перерывы между шагами уменьшают нагрев и шум.</translation>
    </message>
    <message>
        <source>How many threads of the processor to train with. Automatic: all cores but one, or four beside a GPU.</source>
        <translation>Сколько потоков процессора использовать. Автоматически: все ядра, кроме одного, или четыре рядом с GPU.</translation>
    </message>
    <message>
        <source>Which GPUs may train, by their numbers, counted from 0 and separated by commas.</source>
        <translation>Какие GPU можно использовать: их номера, считая от 0, через запятую.</translation>
    </message>
    <message>
        <source>The most that runs may take of the disk.</source>
        <translation>Сколько места на диске могут занять проекты.</translation>
    </message>
    <message>
        <source>Pause while less than this is free on the disk.</source>
        <translation>Пауза, пока на диске свободно меньше.</translation>
    </message>
    <message>
        <source>The most memory (RAM) that training may take.</source>
        <translation>Сколько оперативной памяти (RAM) может занять обучение.</translation>
    </message>
    <message>
        <source>Give all memory back when less than this is left for other programs.</source>
        <translation>Вернуть всю память, когда другим программам её остаётся меньше.</translation>
    </message>
    <message>
        <source>The most GPU memory that training may take.</source>
        <translation>Сколько памяти GPU может занять обучение.</translation>
    </message>
    <message>
        <source>GPU memory kept for other programs. When they need more than that, training ends at once and gives all of its own back.</source>
        <translation>Память GPU, оставленная другим программам. Если им нужно больше, обучение сразу прекращается и возвращает всю свою.</translation>
    </message>
    <message>
        <source>How long a pause may last before training gives its memory back.</source>
        <translation>Сколько может длиться пауза, прежде чем обучение вернёт свою память.</translation>
    </message>
    <message>
        <source>Give GPU memory back at every pause. Going on then takes longer.</source>
        <translation>Возвращать память GPU при каждой паузе. Продолжение тогда занимает больше времени.</translation>
    </message>
    <message>
        <source>The fastest that training may send.</source>
        <translation>Наибольшая скорость, с которой обучение может отправлять.</translation>
    </message>
    <message>
        <source>The fastest that training may receive.</source>
        <translation>Наибольшая скорость, с которой обучение может получать.</translation>
    </message>
    <message>
        <source>The most that training may send and receive together in a calendar month.</source>
        <translation>Сколько всего обучение может отправить и получить за календарный месяц.</translation>
    </message>
    <message>
        <source>Pause while the connection is metered, such as a phone&apos;s.</source>
        <translation>Пауза, пока подключение лимитное, например через телефон.</translation>
    </message>
    <message>
        <source>Where other peers reach this computer. Automatic: any port that is free.</source>
        <translation>Порт, по которому другие участники связываются с этим компьютером. Автоматически: любой свободный порт.</translation>
    </message>
    <message>
        <source>Start Idlebrush, in the background, when you log in.</source>
        <translation>Запускать Idlebrush в фоне, когда вы входите в систему.</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Всегда</translation>
    </message>
    <message>
        <source>As set here</source>
        <translation>Как задано здесь</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Никогда</translation>
    </message>
    <message>
        <source>At all hours</source>
        <translation>В любые часы</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Пауза</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Все</translation>
    </message>
    <message>
        <source>Unlimited</source>
        <translation>Без ограничений</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Выключено</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Включено</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Автоматически</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Нет</translation>
    </message>
</context>
<context>
    <name>PreferencesPage</name>
    <message>
        <source>Search the preferences</source>
        <translation>Искать в настройках</translation>
    </message>
    <message>
        <source>No such preference</source>
        <translation>Такой настройки нет</translation>
    </message>
    <message>
        <source>Try another word.</source>
        <translation>Попробуйте другое слово.</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Показать все</translation>
    </message>
</context>
<context>
    <name>Privacy</name>
    <message>
        <source>Other volunteers</source>
        <translation>Другие участники</translation>
    </message>
    <message>
        <source>The run&apos;s coordinator</source>
        <translation>Координатор проекта</translation>
    </message>
    <message>
        <source>Nobody</source>
        <translation>Никто</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU by its memory), how fast you train, the gradients you send, and the user name by which you were admitted.</source>
        <translation>Ваш IP-адрес, случайный идентификатор узла, вид оборудования (процессор или GPU по объёму памяти), скорость обучения, отправляемые градиенты и имя пользователя, под которым вас допустили.</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU by its memory), how fast you train, and the gradients you send. No name.</source>
        <translation>Ваш IP-адрес, случайный идентификатор узла, вид оборудования (процессор или GPU по объёму памяти), скорость обучения и отправляемые градиенты. Без имени.</translation>
    </message>
    <message>
        <source>Your user name and how much your computers do. It is on the leaderboard unless you hide it. The coordinator gets a proof made for it alone, and never your token.</source>
        <translation>Ваше имя пользователя и сколько делают ваши компьютеры. Оно видно в таблице лидеров, если вы его не скроете. Координатор получает подтверждение, сделанное только для него, и никогда — ваш токен.</translation>
    </message>
    <message>
        <source>That a computer with your address takes part, and how much it does.</source>
        <translation>Что компьютер с вашим адресом участвует и сколько он делает.</translation>
    </message>
    <message>
        <source>If you sign in: that you did. Your token stays on this computer and goes to nobody but the Hub. Data and files of a run that are kept on the Hub are fetched from there.</source>
        <translation>Если вы входите: сам факт входа. Ваш токен остаётся на этом компьютере и передаётся только на Hub. Данные и файлы проекта, которые хранятся на Hub, загружаются оттуда.</translation>
    </message>
    <message>
        <source>Your files, what you type, which programs you use. To get out of your way, Idlebrush asks the system how long ago there was input, but not which. That, and the prompts and pictures of your gallery, never leave this computer.</source>
        <translation>Ваши файлы, то, что вы набираете, и какими программами пользуетесь. Чтобы не мешать, Idlebrush спрашивает систему, как давно был ввод, но не какой. Это, а также запросы и картинки вашей галереи никогда не покидают этот компьютер.</translation>
    </message>
</context>
<context>
    <name>PrivacyCard</name>
    <message>
        <source>What others see</source>
        <translation>Что видят другие</translation>
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
        <translation>Idlebrush не работает в фоне</translation>
    </message>
    <message>
        <source>Start it to train and to see how things stand.</source>
        <translation>Запустите его, чтобы начать обучение и видеть, как идут дела.</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush не отвечает</translation>
    </message>
    <message>
        <source>Wait a moment. If it stays silent, restart it.</source>
        <translation>Подождите немного. Если он так и не ответит, перезапустите его.</translation>
    </message>
    <message>
        <source>Another version of Idlebrush is still running in the background</source>
        <translation>В фоне ещё работает другая версия Idlebrush</translation>
    </message>
    <message>
        <source>Restart it to use this version.</source>
        <translation>Перезапустите его, чтобы использовать эту версию.</translation>
    </message>
    <message>
        <source>The run does not let this computer take part</source>
        <translation>Проект не принимает этот компьютер</translation>
    </message>
    <message>
        <source>Idlebrush is already running</source>
        <translation>Idlebrush уже работает</translation>
    </message>
    <message>
        <source>Idlebrush can no longer tell whether you are using the computer</source>
        <translation>Idlebrush больше не видит, пользуетесь ли вы компьютером</translation>
    </message>
    <message>
        <source>Start at login could not be changed</source>
        <translation>Не удалось изменить запуск при входе в систему</translation>
    </message>
    <message>
        <source>A service of the desktop does not answer</source>
        <translation>Служба рабочего стола не отвечает</translation>
    </message>
    <message>
        <source>A checkpoint of the run cannot be used</source>
        <translation>Контрольную точку проекта нельзя использовать</translation>
    </message>
    <message>
        <source>The trainer cannot be kept going</source>
        <translation>Не удаётся поддерживать обучение</translation>
    </message>
    <message>
        <source>The run&apos;s image codec cannot be used</source>
        <translation>Кодек изображений проекта нельзя использовать</translation>
    </message>
    <message>
        <source>The run&apos;s coordinator cannot be reached</source>
        <translation>Координатор проекта недоступен</translation>
    </message>
    <message>
        <source>Idlebrush could not start in the background</source>
        <translation>Idlebrush не смог запуститься в фоне</translation>
    </message>
    <message>
        <source>What runs in the background is not yours</source>
        <translation>То, что работает в фоне, принадлежит не вам</translation>
    </message>
    <message>
        <source>The run&apos;s training data cannot be used</source>
        <translation>Обучающие данные проекта нельзя использовать</translation>
    </message>
    <message>
        <source>The display does not answer as it should</source>
        <translation>Экран не отвечает как следует</translation>
    </message>
    <message>
        <source>A download did not succeed</source>
        <translation>Загрузка не удалась</translation>
    </message>
    <message>
        <source>That is not a length of time</source>
        <translation>Это не отрезок времени</translation>
    </message>
    <message>
        <source>The folder cannot be used</source>
        <translation>Папку нельзя использовать</translation>
    </message>
    <message>
        <source>The run does not let you in</source>
        <translation>Проект вас не допускает</translation>
    </message>
    <message>
        <source>The pictures could not be drawn</source>
        <translation>Картинки не удалось нарисовать</translation>
    </message>
    <message>
        <source>A training step went wrong, and was not used</source>
        <translation>Шаг обучения не удался и не был использован</translation>
    </message>
    <message>
        <source>The Hugging Face Hub cannot be reached</source>
        <translation>Hugging Face Hub недоступен</translation>
    </message>
    <message>
        <source>This run cannot be joined</source>
        <translation>К этому проекту нельзя присоединиться</translation>
    </message>
    <message>
        <source>The keyring of your system does not work</source>
        <translation>Связка ключей системы не работает</translation>
    </message>
    <message>
        <source>The keyring of your system is locked</source>
        <translation>Связка ключей системы заблокирована</translation>
    </message>
    <message>
        <source>The description of the run cannot be trusted</source>
        <translation>Описанию проекта нельзя доверять</translation>
    </message>
    <message>
        <source>Your membership of the run has ended</source>
        <translation>Ваше участие в проекте закончилось</translation>
    </message>
    <message>
        <source>The memory that training needs cannot be planned</source>
        <translation>Не удаётся рассчитать память, нужную для обучения</translation>
    </message>
    <message>
        <source>Your system has no keyring to keep the sign-in</source>
        <translation>В системе нет связки ключей для данных входа</translation>
    </message>
    <message>
        <source>The NVIDIA driver does not answer</source>
        <translation>Драйвер NVIDIA не отвечает</translation>
    </message>
    <message>
        <source>There is no NVIDIA driver</source>
        <translation>Драйвера NVIDIA нет</translation>
    </message>
    <message>
        <source>This preference cannot be used</source>
        <translation>Эту настройку нельзя использовать</translation>
    </message>
    <message>
        <source>The pictures could not be ranked</source>
        <translation>Картинки не удалось оценить</translation>
    </message>
    <message>
        <source>A receipt cannot be trusted</source>
        <translation>Квитанции нельзя доверять</translation>
    </message>
    <message>
        <source>You are signed out</source>
        <translation>Вы вышли из учётной записи</translation>
    </message>
    <message>
        <source>The sign-in was not completed</source>
        <translation>Вход не был завершён</translation>
    </message>
    <message>
        <source>What Idlebrush remembers could not be read or saved</source>
        <translation>Данные Idlebrush не удалось прочитать или сохранить</translation>
    </message>
    <message>
        <source>The record of your contribution cannot be used</source>
        <translation>Запись вашего вклада нельзя использовать</translation>
    </message>
    <message>
        <source>The swarm cannot be reached</source>
        <translation>Рой недоступен</translation>
    </message>
    <message>
        <source>The run&apos;s tokenizer cannot be used</source>
        <translation>Токенизатор проекта нельзя использовать</translation>
    </message>
</context>
<context>
    <name>PromptForm</name>
    <message>
        <source>What to draw</source>
        <translation>Что нарисовать</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Нарисовать</translation>
    </message>
    <message>
        <source>usual</source>
        <translation>обычная</translation>
    </message>
    <message>
        <source>a new one</source>
        <translation>новое</translation>
    </message>
    <message>
        <source>What should it draw? Such as “{prompt}”</source>
        <extracomment>{prompt} is an example of what the model can draw, in the language of the run.</extracomment>
        <translation>Что нарисовать? Например, «{prompt}»</translation>
    </message>
    <message>
        <source>What should it draw?</source>
        <translation>Что нарисовать?</translation>
    </message>
    <message>
        <source>More options</source>
        <translation>Больше параметров</translation>
    </message>
    <message>
        <source>Fewer options</source>
        <translation>Меньше параметров</translation>
    </message>
    <message>
        <source>Pictures to draw</source>
        <translation>Нарисовать картинок</translation>
    </message>
    <message>
        <source>Best to keep</source>
        <translation>Оставить лучших</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Температура</translation>
    </message>
    <message>
        <source>Lower is safer, higher more surprising</source>
        <translation>Ниже — надёжнее, выше — неожиданнее</translation>
    </message>
    <message>
        <source>Likeliest codes</source>
        <translation>Вероятнейшие коды</translation>
    </message>
    <message>
        <source>Each piece of a picture is chosen from this many of the likeliest codes (top-k)</source>
        <translation>Каждый кусочек картинки выбирается из стольких самых вероятных кодов (top-k)</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Зерно</translation>
    </message>
    <message>
        <source>The same seed and words give the same pictures</source>
        <translation>Одно зерно и одни слова дают одни и те же картинки</translation>
    </message>
</context>
<context>
    <name>ProspectPanel</name>
    <message>
        <source>Trying the run out</source>
        <translation>Пробный запуск проекта</translation>
    </message>
    <message>
        <source>Measure for a minute</source>
        <translation>Измерять минуту</translation>
    </message>
    <message>
        <source>Stop measuring</source>
        <translation>Прекратить измерение</translation>
    </message>
    <message>
        <source>Learns to draw: {prompts}</source>
        <extracomment>{prompts} is a list such as &quot;red heart · pizza · rocket&quot;.</extracomment>
        <translation>Учится рисовать: {prompts}</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Измерить снова</translation>
    </message>
</context>
<context>
    <name>QrCode</name>
    <message>
        <source>QR code</source>
        <translation>QR-код</translation>
    </message>
</context>
<context>
    <name>Queue</name>
    <message>
        <source>Waiting for its turn</source>
        <translation>Ждёт своей очереди</translation>
    </message>
    <message>
        <source>Drawn between steps of training</source>
        <translation>Рисуется между шагами обучения</translation>
    </message>
    <message>
        <source>Paused, as training is</source>
        <translation>На паузе, как и обучение</translation>
    </message>
    <message>
        <source>Drawn when nothing else needs the computer</source>
        <translation>Рисуется, когда компьютер никому не нужен</translation>
    </message>
    <message>
        <source>Drawn gently while you use the computer</source>
        <translation>Рисуется вполсилы, пока вы пользуетесь компьютером</translation>
    </message>
    <message>
        <source>Being cancelled</source>
        <translation>Отменяется</translation>
    </message>
    <message numerus="yes">
        <source>%Ln picture(s)</source>
        <translation>
            <numerusform>%Ln картинка</numerusform>
            <numerusform>%Ln картинки</numerusform>
            <numerusform>%Ln картинок</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QueueRow</name>
    <message>
        <source>Cancel</source>
        <translation>Отмена</translation>
    </message>
</context>
<context>
    <name>QuitDialog</name>
    <message>
        <source>Quit Idlebrush</source>
        <translation>Выйти из Idlebrush</translation>
    </message>
    <message>
        <source>Time taken, of the longest that it may take</source>
        <translation>Сколько прошло из отведённого времени</translation>
    </message>
    <message>
        <source>&amp;Remember my answer</source>
        <translation>&amp;Запомнить мой ответ</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Отмена</translation>
    </message>
    <message>
        <source>&amp;Stop training</source>
        <translation>Ос&amp;тановить обучение</translation>
    </message>
    <message>
        <source>&amp;Keep training</source>
        <translation>Про&amp;должить обучение</translation>
    </message>
    <message>
        <source>Keep training while Idlebrush is closed?</source>
        <translation>Продолжать обучение, пока Idlebrush закрыт?</translation>
    </message>
    <message>
        <source>In the background, this computer goes on as your preferences say, and you see what it did when you come back.</source>
        <translation>В фоне этот компьютер работает по вашим настройкам, а вернувшись, вы увидите, что он сделал.</translation>
    </message>
    <message>
        <source>Training stops</source>
        <translation>Обучение останавливается</translation>
    </message>
    <message>
        <source>This computer is leaving the swarm. That takes a few seconds.</source>
        <translation>Этот компьютер выходит из роя. Это займёт несколько секунд.</translation>
    </message>
    <message>
        <source>&amp;Do not wait</source>
        <translation>Н&amp;е ждать</translation>
    </message>
    <message>
        <source>&amp;Quit anyway</source>
        <translation>&amp;Всё равно выйти</translation>
    </message>
</context>
<context>
    <name>RanksCard</name>
    <message>
        <source>My rank over time</source>
        <translation>Как менялось моё место</translation>
    </message>
    <message>
        <source>It is looked up now and then while this computer trains.</source>
        <translation>Оно время от времени запрашивается, пока идёт обучение.</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Место</translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message>
        <source>your hours allow it again from {moment}</source>
        <translation>вне ваших часов обучения (возобновление: {moment})</translation>
    </message>
    <message>
        <source>{programs} fills the screen</source>
        <extracomment>{programs} is the name of a program, or several with commas between them.</extracomment>
        <translation>{programs} занимает весь экран</translation>
    </message>
    <message>
        <source>{programs} must not be disturbed</source>
        <translation>нельзя мешать программе {programs}</translation>
    </message>
    <message>
        <source>{programs} keeps the screen on</source>
        <translation>{programs} не даёт экрану гаснуть</translation>
    </message>
    <message>
        <source>you have not agreed to train yet</source>
        <extracomment>All of these follow &quot;Paused: &quot; or &quot;Slowed to 50%: &quot;, and also stand alone, capitalised.</extracomment>
        <translation>вы ещё не дали согласия на обучение</translation>
    </message>
    <message>
        <source>you chose never to train</source>
        <translation>вы выбрали «Никогда»</translation>
    </message>
    <message>
        <source>you paused it until you resume</source>
        <translation>вы поставили обучение на паузу до возобновления</translation>
    </message>
    <message>
        <source>you paused it for a while</source>
        <translation>вы ненадолго поставили обучение на паузу</translation>
    </message>
    <message>
        <source>another run is being tried out</source>
        <translation>пробуется другой проект</translation>
    </message>
    <message>
        <source>you are using the computer</source>
        <translation>вы пользуетесь компьютером</translation>
    </message>
    <message>
        <source>an application fills the screen</source>
        <translation>приложение занимает весь экран</translation>
    </message>
    <message>
        <source>one of your exclusive applications is running</source>
        <translation>работает одно из приоритетных приложений</translation>
    </message>
    <message>
        <source>an application keeps the screen on</source>
        <translation>приложение не даёт экрану гаснуть</translation>
    </message>
    <message>
        <source>another program needs the memory of the GPU</source>
        <translation>другой программе нужна память GPU</translation>
    </message>
    <message>
        <source>memory is short</source>
        <translation>не хватает памяти</translation>
    </message>
    <message>
        <source>other programs keep the processor busy</source>
        <translation>процессор занят другими программами</translation>
    </message>
    <message>
        <source>other programs keep the GPU busy</source>
        <translation>GPU занят другими программами</translation>
    </message>
    <message>
        <source>the processor has to cool down</source>
        <translation>процессору нужно остыть</translation>
    </message>
    <message>
        <source>the GPU has to cool down</source>
        <translation>GPU нужно остыть</translation>
    </message>
    <message>
        <source>the computer runs on its battery</source>
        <translation>компьютер работает от батареи</translation>
    </message>
    <message>
        <source>the battery is low</source>
        <translation>заряд батареи низкий</translation>
    </message>
    <message>
        <source>it is outside your hours</source>
        <translation>сейчас вне ваших часов обучения</translation>
    </message>
    <message>
        <source>the network connection is metered</source>
        <translation>подключение к сети лимитное</translation>
    </message>
    <message>
        <source>the traffic you allow in a month is used up</source>
        <translation>разрешённый на месяц трафик исчерпан</translation>
    </message>
    <message>
        <source>the disk is nearly full</source>
        <translation>диск почти заполнен</translation>
    </message>
    <message>
        <source>runs take as much of the disk as you allow</source>
        <translation>проекты заняли столько диска, сколько вы разрешили</translation>
    </message>
    <message>
        <source>you let it compute for only part of the time</source>
        <translation>вы разрешили вычислять лишь часть времени</translation>
    </message>
</context>
<context>
    <name>Row</name>
    <message>
        <source>Saved</source>
        <translation>Сохранено</translation>
    </message>
    <message>
        <source>Reset to the default</source>
        <translation>Вернуть значение по умолчанию</translation>
    </message>
    <message>
        <source>Reset “{preference}” to its default</source>
        <translation>Вернуть значение по умолчанию: «{preference}»</translation>
    </message>
    <message>
        <source>{preference}: saved</source>
        <translation>{preference}: сохранено</translation>
    </message>
</context>
<context>
    <name>RunPictures</name>
    <message>
        <source>Open the folder of the pictures</source>
        <translation>Открыть папку с картинками</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Попробовать снова</translation>
    </message>
    <message>
        <source>The run&apos;s pictures cannot be read</source>
        <translation>Картинки проекта нельзя прочитать</translation>
    </message>
    <message>
        <source>No pictures yet</source>
        <translation>Картинок пока нет</translation>
    </message>
    <message>
        <source>Every few epochs the model draws the run&apos;s prompts. They will appear here.</source>
        <translation>Раз в несколько эпох модель рисует по запросам проекта. Картинки появятся здесь.</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Проекта пока нет</translation>
    </message>
    <message>
        <source>Choose a run, and watch its pictures get better here.</source>
        <translation>Выберите проект и смотрите здесь, как картинки становятся лучше.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Выбрать проект</translation>
    </message>
</context>
<context>
    <name>RunScreen</name>
    <message>
        <source>Choose a run</source>
        <translation>Выбрать проект</translation>
    </message>
    <message>
        <source>A run is one model that many computers train together, for weeks or months.</source>
        <translation>В проекте много компьютеров вместе обучают одну модель, недели или месяцы.</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>На этом компьютере</translation>
    </message>
    <message>
        <source>A small run, to try it out alone</source>
        <translation>Небольшой проект, чтобы попробовать самостоятельно</translation>
    </message>
    <message>
        <source>From a link</source>
        <translation>По ссылке</translation>
    </message>
    <message>
        <source>From a run&apos;s website, or from a friend</source>
        <translation>С сайта проекта или от друга</translation>
    </message>
    <message>
        <source>From a file</source>
        <translation>Из файла</translation>
    </message>
    <message>
        <source>A run&apos;s description, such as run.toml</source>
        <translation>Описание проекта, например run.toml</translation>
    </message>
    <message>
        <source>Looking at the run</source>
        <translation>Изучение проекта</translation>
    </message>
    <message>
        <source>Looking at the run, and at what this computer can give…</source>
        <translation>Изучаются проект и то, что может дать этот компьютер…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Отмена</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Попробовать снова</translation>
    </message>
    <message>
        <source>This run is too large for this computer</source>
        <translation>Этот проект слишком велик для этого компьютера</translation>
    </message>
    <message>
        <source>This computer already trains this run.</source>
        <translation>Этот компьютер уже участвует в этом проекте.</translation>
    </message>
</context>
<context>
    <name>SaveDialog</name>
    <message>
        <source>Save picture</source>
        <translation>Сохранить картинку</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Картинки (*.png)</translation>
    </message>
</context>
<context>
    <name>Screen</name>
    <message>
        <source>Next</source>
        <translation>Далее</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Clear the search</source>
        <translation>Очистить поиск</translation>
    </message>
</context>
<context>
    <name>SignInScreen</name>
    <message>
        <source>Sign in, if you like</source>
        <translation>Войдите, если хотите</translation>
    </message>
    <message>
        <source>Some runs admit only people whom they know by their account on the Hugging Face Hub. Open runs, and the one that comes with Idlebrush, need no account: you can skip this, and sign in later.</source>
        <translation>Некоторые проекты принимают только тех, кого знают по учётной записи на Hugging Face Hub. Открытым проектам и тому, что поставляется с Idlebrush, она не нужна: этот шаг можно пропустить и войти позже.</translation>
    </message>
    <message>
        <source>With a code</source>
        <translation>По коду</translation>
    </message>
    <message>
        <source>With a token</source>
        <translation>По токену</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Войти</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Далее</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Пропустить</translation>
    </message>
    <message>
        <source>You get a short code, and enter it in a browser, here or on your phone. Idlebrush never sees your password, and asks for nothing but your name.</source>
        <translation>Вы получаете короткий код и вводите его в браузере, здесь или на телефоне. Idlebrush никогда не видит вашего пароля и не спрашивает ничего, кроме имени.</translation>
    </message>
    <message>
        <source>Get a code</source>
        <translation>Получить код</translation>
    </message>
    <message>
        <source>Sign out</source>
        <translation>Выйти</translation>
    </message>
    <message>
        <source>Get a new code</source>
        <translation>Получить новый код</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Попробовать снова</translation>
    </message>
    <message>
        <source>Only until Idlebrush ends</source>
        <translation>Только пока работает Idlebrush</translation>
    </message>
    <message>
        <source>In a file that only I can read</source>
        <translation>В файле, который могу читать только я</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot keep your sign-in</source>
        <translation>Связка ключей этого компьютера не может хранить данные входа</translation>
    </message>
    <message>
        <source>Unlock it and try again, or choose where else to keep the sign-in.</source>
        <translation>Разблокируйте её и попробуйте снова или выберите, где ещё хранить данные входа.</translation>
    </message>
    <message>
        <source>Asking for a code…</source>
        <translation>Запрос кода…</translation>
    </message>
    <message>
        <source>Signed in as {name}</source>
        <translation>Выполнен вход как {name}</translation>
    </message>
</context>
<context>
    <name>SingleApp</name>
    <message>
        <source>Idlebrush is already open, but does not answer.</source>
        <translation>Idlebrush уже открыт, но не отвечает.</translation>
    </message>
    <message>
        <source>Wait a moment; if nothing changes, end process {pid} and start Idlebrush again.</source>
        <translation>Подождите немного; если ничего не изменится, завершите процесс {pid} и запустите Idlebrush снова.</translation>
    </message>
    <message>
        <source>The file {file} cannot be written.</source>
        <translation>Файл {file} нельзя записать.</translation>
    </message>
    <message>
        <source>Free some space, or set IDLEBRUSH_HOME to a folder of yours.</source>
        <translation>Освободите место или задайте в IDLEBRUSH_HOME свою папку.</translation>
    </message>
</context>
<context>
    <name>Snooze</name>
    <message>
        <source>15 minutes</source>
        <translation>15 минут</translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>1 час</translation>
    </message>
    <message>
        <source>Until tomorrow</source>
        <translation>До завтра</translation>
    </message>
</context>
<context>
    <name>StatusChip</name>
    <message>
        <source>Not running</source>
        <translation>Не работает</translation>
    </message>
</context>
<context>
    <name>StepIndicator</name>
    <message>
        <source>Step {number} of {of}: {title}</source>
        <extracomment>Where one is in the first run, such as &quot;Step 2 of 5: Sign in&quot;.</extracomment>
        <translation>Шаг {number} из {of}: {title}</translation>
    </message>
</context>
<context>
    <name>StreakCard</name>
    <message>
        <source>Days in a row</source>
        <translation>Дней подряд</translation>
    </message>
</context>
<context>
    <name>TimesScreen</name>
    <message>
        <source>When may it train?</source>
        <translation>Когда разрешить обучение?</translation>
    </message>
    <message>
        <source>These are good to begin with. You can change them, and many more, at any time.</source>
        <translation>Для начала этого достаточно. Это и многое другое можно изменить в любое время.</translation>
    </message>
    <message>
        <source>When to train</source>
        <translation>Когда идёт обучение</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Обучение</translation>
    </message>
    <message>
        <source>“Always” goes on while you use the computer.</source>
        <translation>«Всегда» — даже пока вы пользуетесь компьютером.</translation>
    </message>
    <message>
        <source>You are away after</source>
        <translation>Считать, что вас нет, через</translation>
    </message>
    <message>
        <source>Without touching keyboard or mouse. When you come back, it stops at once.</source>
        <translation>Без прикосновений к клавиатуре и мыши. Когда вы возвращаетесь, всё сразу останавливается.</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>Часы обучения</translation>
    </message>
    <message>
        <source>In local time.</source>
        <translation>По местному времени.</translation>
    </message>
    <message>
        <source>Heat and noise</source>
        <translation>Нагрев и шум</translation>
    </message>
    <message>
        <source>With breaks between steps, the computer stays cooler and quieter.</source>
        <translation>С перерывами между шагами компьютер остаётся прохладнее и тише.</translation>
    </message>
    <message>
        <source>Train on battery</source>
        <translation>Обучение при работе от батареи</translation>
    </message>
    <message>
        <source>Otherwise it waits until the computer is plugged in.</source>
        <translation>Иначе ждёт, пока компьютер не подключат к сети.</translation>
    </message>
    <message>
        <source>Start when I log in</source>
        <translation>Запускать при входе в систему</translation>
    </message>
    <message>
        <source>In the background, without a window.</source>
        <translation>В фоне, без окна.</translation>
    </message>
</context>
<context>
    <name>TokenPanel</name>
    <message>
        <source>Token</source>
        <translation>Токен</translation>
    </message>
    <message>
        <source>Show the token</source>
        <translation>Показать токен</translation>
    </message>
    <message>
        <source>Check it and sign in</source>
        <translation>Проверить и войти</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Проверка…</translation>
    </message>
    <message>
        <source>Make a token</source>
        <translation>Создать токен</translation>
    </message>
    <message>
        <source>A read-only token is enough. It goes to the Hugging Face Hub and to nobody else.</source>
        <translation>Достаточно токена только для чтения. Он отправляется на Hugging Face Hub и больше никому.</translation>
    </message>
    <message>
        <source>Hide the token</source>
        <translation>Скрыть токен</translation>
    </message>
</context>
<context>
    <name>Tools</name>
    <message>
        <source>Find in the log</source>
        <translation>Искать в журнале</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Показывать новые строки</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>Сообщения</translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s)</source>
        <translation>
            <numerusform>%Ln строка</numerusform>
            <numerusform>%Ln строки</numerusform>
            <numerusform>%Ln строк</numerusform>
        </translation>
    </message>
    <message>
        <source>Which log</source>
        <translation>Какой журнал</translation>
    </message>
    <message>
        <source>Which lines</source>
        <translation>Какие строки</translation>
    </message>
    <message>
        <source>All lines</source>
        <translation>Все строки</translation>
    </message>
    <message>
        <source>Without details</source>
        <translation>Без подробностей</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>Предупреждения и ошибки</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Ошибки</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Open</source>
        <translation>Открыть</translation>
    </message>
</context>
<context>
    <name>TrayMenu</name>
    <message>
        <source>&amp;Open Idlebrush</source>
        <translation>&amp;Открыть Idlebrush</translation>
    </message>
    <message>
        <source>&amp;Finish this epoch</source>
        <translation>&amp;Завершить эту эпоху</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>В&amp;ыйти</translation>
    </message>
    <message>
        <source>&amp;Snooze</source>
        <translation>Вр&amp;еменная пауза</translation>
    </message>
    <message>
        <source>Training &amp;mode</source>
        <translation>&amp;Режим обучения</translation>
    </message>
    <message>
        <source>&amp;Always</source>
        <translation>&amp;Всегда</translation>
    </message>
    <message>
        <source>As my &amp;preferences say</source>
        <translation>&amp;Как в настройках</translation>
    </message>
    <message>
        <source>&amp;Never</source>
        <translation>&amp;Никогда</translation>
    </message>
    <message>
        <source>&amp;Gallery</source>
        <translation>&amp;Галерея</translation>
    </message>
    <message>
        <source>My &amp;contribution</source>
        <translation>&amp;Мой вклад</translation>
    </message>
    <message>
        <source>Pr&amp;eferences</source>
        <translation>На&amp;стройки</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Пауза</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>Продол&amp;жить</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>Попро&amp;бовать снова</translation>
    </message>
    <message>
        <source>&amp;Start in the background</source>
        <translation>Зап&amp;устить в фоне</translation>
    </message>
    <message>
        <source>&amp;Restart in the background</source>
        <translation>Перез&amp;апустить в фоне</translation>
    </message>
    <message>
        <source>&amp;Snoozed until {moment}</source>
        <translation>Пауза. Возобновлени&amp;е: {moment}</translation>
    </message>
</context>
<context>
    <name>Trouble</name>
    <message>
        <source>Idlebrush is starting</source>
        <translation>Idlebrush запускается</translation>
    </message>
    <message>
        <source>Idlebrush does not run in the background</source>
        <translation>Idlebrush не работает в фоне</translation>
    </message>
    <message>
        <source>Nothing is trained until you start it.</source>
        <translation>Обучение не идёт, пока вы его не запустите.</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush не отвечает</translation>
    </message>
    <message>
        <source>The computer may be very busy. What you see is what it last said.</source>
        <translation>Возможно, компьютер сильно загружен. Вы видите последние полученные сведения.</translation>
    </message>
    <message>
        <source>Another version of Idlebrush runs in the background</source>
        <translation>В фоне работает другая версия Idlebrush</translation>
    </message>
    <message>
        <source>Restart it so that both are the same version. Training goes on after that.</source>
        <translation>Перезапустите его, чтобы обе части были одной версии. Затем обучение продолжится.</translation>
    </message>
    <message>
        <source>Idlebrush runs as another user</source>
        <translation>Idlebrush работает от имени другого пользователя</translation>
    </message>
    <message>
        <source>Idlebrush could not be started</source>
        <translation>Idlebrush не удалось запустить</translation>
    </message>
    <message>
        <source>Start it</source>
        <translation>Запустить</translation>
    </message>
    <message>
        <source>Restart it</source>
        <translation>Перезапустить</translation>
    </message>
</context>
<context>
    <name>Viewer</name>
    <message>
        <source>Back to all pictures</source>
        <translation>Ко всем картинкам</translation>
    </message>
    <message>
        <source>Previous picture</source>
        <translation>Предыдущая картинка</translation>
    </message>
    <message>
        <source>Next picture</source>
        <translation>Следующая картинка</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Welcome</source>
        <translation>Добро пожаловать</translation>
    </message>
    <message>
        <source>Let&apos;s begin</source>
        <translation>Начнём</translation>
    </message>
    <message>
        <source>Your computer can help a machine learn to paint</source>
        <translation>Ваш компьютер может помочь машине научиться рисовать</translation>
    </message>
    <message>
        <source>While you are away, Idlebrush trains one model together with other people&apos;s computers. It turns words into pictures, and you can watch it get better.</source>
        <translation>Пока вас нет, Idlebrush обучает одну модель вместе с компьютерами других людей. Она превращает слова в картинки, и вы видите, как она становится лучше.</translation>
    </message>
    <message>
        <source>What it will do</source>
        <translation>Что Idlebrush будет делать</translation>
    </message>
    <message>
        <source>What it won&apos;t do</source>
        <translation>Чего Idlebrush делать не будет</translation>
    </message>
    <message>
        <source>Give the computer back at once when you return to it.</source>
        <translation>Сразу отдавать компьютер, когда вы возвращаетесь.</translation>
    </message>
    <message>
        <source>Rest on battery, during games and videos, and when the computer gets hot.</source>
        <translation>Делать паузу при работе от батареи, во время игр и видео и когда компьютер нагревается.</translation>
    </message>
    <message>
        <source>Keep to the limits that you set for heat, noise, memory and bandwidth.</source>
        <translation>Соблюдать ваши ограничения на нагрев, шум, память и скорость сети.</translation>
    </message>
    <message>
        <source>Train anything before you have agreed to it, at the end of these five steps.</source>
        <translation>Обучать что-либо до вашего согласия в конце этих пяти шагов.</translation>
    </message>
    <message>
        <source>Read or send your files. Others see this computer&apos;s Internet address and its speed.</source>
        <translation>Читать или отправлять ваши файлы. Другие видят интернет-адрес этого компьютера и его скорость.</translation>
    </message>
    <message>
        <source>Run programs that others send. Computers exchange numbers, and nothing else.</source>
        <translation>Запускать программы, которые присылают другие. Компьютеры обмениваются числами, и только.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Язык</translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>Now</source>
        <translation>Сейчас</translation>
    </message>
    <message>
        <source>Gallery</source>
        <translation>Галерея</translation>
    </message>
    <message>
        <source>My contribution</source>
        <translation>Мой вклад</translation>
    </message>
    <message>
        <source>Leaderboard</source>
        <translation>Таблица лидеров</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Настройки</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Журнал</translation>
    </message>
    <message>
        <source>About</source>
        <translation>О программе</translation>
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
        <translation>Копировать идентификатор узла</translation>
    </message>
    <message>
        <source>Peer ID of this computer</source>
        <translation>Идентификатор узла этого компьютера</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Скопировано</translation>
    </message>
</context>
<context>
    <name>_Pinned</name>
    <message>
        <source>Your row</source>
        <translation>Ваша строка</translation>
    </message>
</context>
<context>
    <name>_Tag</name>
    <message>
        <source>Remove {name}</source>
        <translation>Убрать {name}</translation>
    </message>
</context>
</TS>
