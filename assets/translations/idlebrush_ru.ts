<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ru_RU">
<context>
    <name>AboutHeader</name>
    <message>
        <source>Website of the run</source>
        <translation>Сайт проекта</translation>
    </message>
    <message>
        <source>Handbook</source>
        <translation>Руководство</translation>
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
        <source>Idle computers together train a model that draws pictures or writes text.</source>
        <translation>Простаивающие компьютеры вместе обучают модель, которая рисует картинки или пишет тексты.</translation>
    </message>
</context>
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
        <source>This computer cannot train yet</source>
        <translation>Этот компьютер пока не может обучать</translation>
    </message>
    <message>
        <source>Waiting: the download of the packages for training is paused</source>
        <translation>Ожидание: загрузка пакетов для обучения приостановлена</translation>
    </message>
    <message>
        <source>Waiting: the packages for training are being installed</source>
        <translation>Ожидание: устанавливаются пакеты для обучения</translation>
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
        <source>Waiting: downloading the earlier checkpoint from which the run continues</source>
        <translation>Ожидание: загружается более ранняя контрольная точка, с которой продолжится проект</translation>
    </message>
    <message>
        <source>Waiting: no other computer has sent the state from which the run continues</source>
        <translation>Ожидание: пока ни один другой компьютер не передал состояние, с которого продолжается проект</translation>
    </message>
    <message>
        <source>Waiting: other computers are ahead, and none of them can send its state to this one</source>
        <translation>Ожидание: другие компьютеры ушли вперёд, и ни один из них не может передать этому своё состояние</translation>
    </message>
    <message>
        <source>Waiting: no computer of this run accepts connections</source>
        <translation>Ожидание: ни один компьютер этого проекта не принимает соединений</translation>
    </message>
    <message>
        <source>Waiting: the other computers of this run cannot be reached</source>
        <translation>Ожидание: остальные компьютеры этого проекта недоступны</translation>
    </message>
    <message>
        <source>Waiting: most computers at this epoch do not answer, so it cannot be agreed on</source>
        <translation>Ожидание: большинство компьютеров этой эпохи не отвечают, поэтому договориться о ней нельзя</translation>
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
    <name>AddComputerDialog</name>
    <message>
        <source>Add a computer</source>
        <translation>Добавить компьютер</translation>
    </message>
    <message>
        <source>On the other computer, open My computers and choose “Let another computer control this one…”. It shows its address and a code.</source>
        <translation>На другом компьютере откройте «Мои компьютеры» и выберите «Разрешить другому компьютеру управлять этим…». Он покажет свой адрес и код.</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Адрес</translation>
    </message>
    <message>
        <source>192.168.1.7:47320</source>
        <translation>192.168.1.7:47320</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Код</translation>
    </message>
    <message>
        <source>ABCD-2345</source>
        <translation>ABCD-2345</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Отмена</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Добавить</translation>
    </message>
    <message>
        <source>Pairing…</source>
        <translation>Сопряжение…</translation>
    </message>
</context>
<context>
    <name>AlbumCard</name>
    <message>
        <source>Use this prompt again</source>
        <translation>Использовать этот запрос снова</translation>
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
        <source>All pictures were kept because they could not be ranked. {reason}</source>
        <extracomment>{reason} is a whole English sentence.</extracomment>
        <translation>Сохранены все картинки, так как их не удалось оценить. {reason}</translation>
    </message>
    <message>
        <source>the model that comes with Idlebrush, epoch {epoch} of {run}</source>
        <translation>модель, которая поставляется с Idlebrush, эпоха {epoch} проекта «{run}»</translation>
    </message>
    <message>
        <source>epoch {epoch} of {run}</source>
        <extracomment>{run} is the title of a run.</extracomment>
        <translation>эпоха {epoch} проекта «{run}»</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Модель</translation>
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
        <source>Most likely codes</source>
        <translation>Самые вероятные коды</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>Следование описанию</translation>
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
        <source>{number} {currency}</source>
        <extracomment>An amount of money, such as &quot;1.25 EUR&quot;.</extracomment>
        <translation>{number} {currency}</translation>
    </message>
    <message>
        <source>{number} g</source>
        <translation>{number} г</translation>
    </message>
    <message>
        <source>{number} kg</source>
        <translation>{number} кг</translation>
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
        <source>Idlebrush notifies you when you are signed out, when something needs your attention, when you reach your best rank, and when a run is complete.</source>
        <translation>Idlebrush сообщает, когда вы вышли из учётной записи, нужно ваше внимание, вы заняли лучшее место или проект завершён.</translation>
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
        <source>This applies if the desktop has a system tray.</source>
        <translation>Действует, если на рабочем столе есть трей.</translation>
    </message>
    <message>
        <source>When you close the window</source>
        <translation>При закрытии окна</translation>
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
        <source>Training can continue in the background.</source>
        <translation>Обучение может продолжаться в фоне.</translation>
    </message>
    <message>
        <source>When you quit the app</source>
        <translation>При выходе из приложения</translation>
    </message>
</context>
<context>
    <name>BadgeWidget</name>
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
        <source>Contributed %Ln hour(s) of computing time</source>
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
        <source>Thirty nights</source>
        <translation>Тридцать ночей</translation>
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
        <source>%Ln value(s) from {start} to {end}. The highest is {high} at {best}. Use the arrow keys to read single values.</source>
        <translation>
            <numerusform>%Ln значение от {start} до {end}. Наибольшее — {high}, {best}. Отдельные значения можно прочитать стрелками.</numerusform>
            <numerusform>%Ln значения от {start} до {end}. Наибольшее — {high}, {best}. Отдельные значения можно прочитать стрелками.</numerusform>
            <numerusform>%Ln значений от {start} до {end}. Наибольшее — {high}, {best}. Отдельные значения можно прочитать стрелками.</numerusform>
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
        <source>Computing time</source>
        <translation>Время вычислений</translation>
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
    <name>CalendarCard</name>
    <message>
        <source>The last 12 months</source>
        <translation>Последние 12 месяцев</translation>
    </message>
    <message>
        <source>Measure of the days</source>
        <translation>Показатель по дням</translation>
    </message>
</context>
<context>
    <name>CalendarGrid</name>
    <message>
        <source>The last 12 months</source>
        <translation>Последние 12 месяцев</translation>
    </message>
    <message>
        <source>Use the arrow keys to read single days.</source>
        <translation>Отдельные дни можно прочитать стрелками.</translation>
    </message>
</context>
<context>
    <name>CandidatePanel</name>
    <message>
        <source>Speed test</source>
        <translation>Проверка скорости</translation>
    </message>
    <message>
        <source>Measure the speed</source>
        <translation>Измерить скорость</translation>
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
        <source>What is shown here comes from the run itself. If you do not expect that, ask the keeper of the list.</source>
        <translation>То, что показано здесь, сообщает сам проект. Если вы этого не ожидали, спросите составителя списка.</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Измерить снова</translation>
    </message>
</context>
<context>
    <name>ChartCard</name>
    <message>
        <source>Over time</source>
        <translation>Динамика</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Показатель</translation>
    </message>
</context>
<context>
    <name>CodePanel</name>
    <message>
        <source>Enter this code on that page:</source>
        <translation>Введите на этой странице код:</translation>
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
        <source>Continue in your browser at {address}.</source>
        <translation>Продолжите в браузере по адресу {address}.</translation>
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
    <name>ComputerCard</name>
    <message>
        <source>Pause</source>
        <translation>Пауза</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>Временная пауза</translation>
    </message>
    <message>
        <source>Train always</source>
        <translation>Обучать всегда</translation>
    </message>
    <message>
        <source>According to its preferences</source>
        <translation>Как в его настройках</translation>
    </message>
    <message>
        <source>Never train</source>
        <translation>Никогда не обучать</translation>
    </message>
    <message>
        <source>Remove this computer…</source>
        <translation>Удалить этот компьютер…</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Продолжить</translation>
    </message>
    <message>
        <source>{action}: {name}</source>
        <extracomment>{action} is the text of a button, {name} the name of a computer.</extracomment>
        <translation>{action}: {name}</translation>
    </message>
    <message>
        <source>When to train</source>
        <translation>Когда идёт обучение</translation>
    </message>
</context>
<context>
    <name>Computers</name>
    <message>
        <source>This computer</source>
        <translation>Этот компьютер</translation>
    </message>
    <message>
        <source>{name} (this computer)</source>
        <extracomment>{name} is the name of this computer.</extracomment>
        <translation>{name} (этот компьютер)</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background</source>
        <translation>Idlebrush не работает в фоне</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Подключение…</translation>
    </message>
    <message>
        <source>Not reached since {moment}</source>
        <translation>Недоступен с {moment}</translation>
    </message>
    <message>
        <source>Last seen {moment}: {state}</source>
        <extracomment>{state} is what the computer did then, such as &quot;Training&quot;.</extracomment>
        <translation>Последняя связь {moment}: {state}</translation>
    </message>
    <message>
        <source>Epoch {epoch}</source>
        <translation>Эпоха {epoch}</translation>
    </message>
    <message>
        <source>Trained for {percent} of today</source>
        <translation>Обучение сегодня: {percent} времени</translation>
    </message>
    <message>
        <source>{name}, connected from {address}</source>
        <extracomment>{name} is a computer, {address} its address in the network.</extracomment>
        <translation>{name}, подключён с адреса {address}</translation>
    </message>
    <message>
        <source>Off: no other computer can see or control this one. Turning it on opens a port for paired computers alone.</source>
        <translation>Выключено: другие компьютеры не могут ни видеть этот, ни управлять им. При включении открывается порт только для сопряжённых компьютеров.</translation>
    </message>
    <message>
        <source>On, but no other computer is paired yet.</source>
        <translation>Включено, но пока не сопряжён ни один другой компьютер.</translation>
    </message>
    <message>
        <source>These computers can see what this one does, pause and resume it, and change its preferences:</source>
        <translation>Эти компьютеры могут видеть, что делает этот, приостанавливать и продолжать его работу и менять его настройки:</translation>
    </message>
    <message>
        <source>Valid for {duration}</source>
        <translation>Действует ещё {duration}</translation>
    </message>
    <message>
        <source>{name} can control this computer from now on.</source>
        <translation>Теперь {name} может управлять этим компьютером.</translation>
    </message>
    <message>
        <source>The code was wrong too often. No computer was paired.</source>
        <translation>Код слишком часто вводили неверно. Ни один компьютер не сопряжён.</translation>
    </message>
    <message>
        <source>The code has expired. No computer was paired.</source>
        <translation>Срок действия кода истёк. Ни один компьютер не сопряжён.</translation>
    </message>
    <message>
        <source>The code was withdrawn.</source>
        <translation>Код отозван.</translation>
    </message>
</context>
<context>
    <name>ComputersPage</name>
    <message>
        <source>Add a computer…</source>
        <translation>Добавить компьютер…</translation>
    </message>
    <message>
        <source>{name} can be controlled from this computer.</source>
        <extracomment>{name} is the name of a computer.</extracomment>
        <translation>{name} можно управлять с этого компьютера.</translation>
    </message>
    <message>
        <source>Remove {name}?</source>
        <extracomment>{name} is the name of a computer.</extracomment>
        <translation>Удалить {name}?</translation>
    </message>
    <message>
        <source>This computer can no longer control it. It goes on as it does now.</source>
        <translation>Этот компьютер больше не сможет им управлять. Тот продолжит работать как сейчас.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Удалить</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Оставить</translation>
    </message>
    <message>
        <source>It can no longer control this computer. If it is connected, that ends at once.</source>
        <translation>Он больше не сможет управлять этим компьютером. Если он подключён, соединение сразу прервётся.</translation>
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
        <source>Next</source>
        <translation>Далее</translation>
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
        <source>This is what Idlebrush does if you agree.</source>
        <translation>Вот что будет делать Idlebrush, если вы согласитесь.</translation>
    </message>
    <message>
        <source>I have compared the key {key} with the one that the organiser published.</source>
        <extracomment>{key} is a row of letters and digits.</extracomment>
        <translation>Ключ {key} сверен с тем, который опубликовал организатор.</translation>
    </message>
    <message>
        <source>This computer trains when you are away</source>
        <translation>Этот компьютер обучает модель, когда вас нет</translation>
    </message>
    <message>
        <source>You have joined the run</source>
        <translation>Вы присоединились к проекту</translation>
    </message>
    <message>
        <source>Before this computer can train, one more download is needed.</source>
        <translation>Прежде чем этот компьютер сможет обучать, нужна ещё одна загрузка.</translation>
    </message>
    <message>
        <source>Setup is complete. Idlebrush stays in the system tray. Open it to watch the pictures improve.</source>
        <translation>Настройка завершена. Idlebrush остаётся в трее. Откройте его, чтобы увидеть, как улучшаются картинки.</translation>
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
        <source>Period</source>
        <translation>Период</translation>
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
        <source>Runs shown</source>
        <translation>Показанные проекты</translation>
    </message>
    <message>
        <source>Your contribution counts from the first epoch in which this computer takes part.</source>
        <translation>Вклад учитывается с первой эпохи, в которой участвует этот компьютер.</translation>
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
    <message>
        <source>{samples}, {time}</source>
        <extracomment>Samples and computing time of one day, such as &quot;1,204 samples, 2 h 15 min&quot;.</extracomment>
        <translation>{samples}, {time}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s) with a contribution.</source>
        <translation>
            <numerusform>%Ln день с вкладом.</numerusform>
            <numerusform>%Ln дня с вкладом.</numerusform>
            <numerusform>%Ln дней с вкладом.</numerusform>
        </translation>
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
        <source>Since you started</source>
        <translation>С самого начала</translation>
    </message>
    <message>
        <source>Computing time</source>
        <translation>Время вычислений</translation>
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
        <source>Cost of the energy</source>
        <translation>Стоимость энергии</translation>
    </message>
    <message>
        <source>CO2 of the energy</source>
        <translation>CO2 от энергии</translation>
    </message>
    <message>
        <source>Contribute on two consecutive days to start a streak.</source>
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
    <name>ControlCard</name>
    <message>
        <source>Control of this computer</source>
        <translation>Управление этим компьютером</translation>
    </message>
    <message>
        <source>Let paired computers control this one</source>
        <translation>Разрешить сопряжённым компьютерам управлять этим</translation>
    </message>
    <message>
        <source>Let another computer control this one…</source>
        <translation>Разрешить другому компьютеру управлять этим…</translation>
    </message>
    <message>
        <source>Key of this computer: {fingerprint}</source>
        <extracomment>{fingerprint} is such as &quot;ftze-jazc-ug7v-7g6c-4lbn-zhtv&quot;.</extracomment>
        <translation>Ключ этого компьютера: {fingerprint}</translation>
    </message>
    <message>
        <source>Remove {name}…</source>
        <extracomment>{name} is the name of a computer.</extracomment>
        <translation>Удалить {name}…</translation>
    </message>
</context>
<context>
    <name>EmbeddedPanel</name>
    <message>
        <source>Try it with a swarm</source>
        <translation>Попробовать с роем</translation>
    </message>
    <message>
        <source>This run learns in minutes rather than months. It learns things, colours, numbers and places, and to combine them in pictures that it never saw, such as a fox on a green square. No other computer takes part, and no data leaves this computer.</source>
        <translation>Этот проект учится за минуты, а не за месяцы. Он узнаёт предметы, цвета, количества и места и учится сочетать их в картинках, которых никогда не видел, например лиса на зелёном квадрате. Другие компьютеры не участвуют, и данные не покидают этот компьютер.</translation>
    </message>
    <message>
        <source>On Windows, a swarm on this computer is not possible yet.</source>
        <translation>В Windows рой на этом компьютере пока невозможен.</translation>
    </message>
    <message>
        <source>A swarm on this computer is possible once the packages for training are installed.</source>
        <translation>Рой на этом компьютере возможен, когда установлены пакеты для обучения.</translation>
    </message>
    <message>
        <source>A swarm on this computer needs a second processor core.</source>
        <translation>Рою на этом компьютере нужно второе ядро процессора.</translation>
    </message>
    <message>
        <source>A swarm on this computer needs more RAM than is free now.</source>
        <translation>Рою на этом компьютере нужно больше оперативной памяти, чем сейчас свободно.</translation>
    </message>
    <message>
        <source>This computer then runs what an organiser runs: a coordinator with a website and a leaderboard, and a second computer&apos;s trainer. All of it stays here, and you can remove it at any time.</source>
        <translation>Тогда на этом компьютере работает всё, что есть у организатора: координатор с сайтом и таблицей лидеров, а также тренер второго компьютера. Всё остаётся здесь, и вы можете удалить это в любой момент.</translation>
    </message>
</context>
<context>
    <name>EpochCard</name>
    <message>
        <source>Epoch</source>
        <translation>Эпоха</translation>
    </message>
    <message>
        <source>The swarm&apos;s progress appears here once training has started.</source>
        <translation>Прогресс роя появится здесь, как только начнётся обучение.</translation>
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
    <name>ExtentControl</name>
    <message>
        <source>Simple</source>
        <translation>Основные</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Все</translation>
    </message>
    <message>
        <source>Which preferences to show</source>
        <translation>Какие настройки показывать</translation>
    </message>
</context>
<context>
    <name>FilePanel</name>
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
        <source>Descriptions of runs (*.idlebrush *.toml)</source>
        <translation>Описания проектов (*.idlebrush *.toml)</translation>
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
        <source>This text is too long for a token. Copy only the token.</source>
        <translation>Этот текст слишком длинный для токена. Скопируйте только токен.</translation>
    </message>
    <message>
        <source>This text contains characters that a token cannot contain. Copy only the token.</source>
        <translation>В этом тексте есть знаки, которых в токенах не бывает. Скопируйте только токен.</translation>
    </message>
    <message>
        <source>Your sign-in is stored in this computer&apos;s keyring.</source>
        <translation>Данные входа хранятся в связке ключей этого компьютера.</translation>
    </message>
    <message>
        <source>Your sign-in is stored until Idlebrush quits.</source>
        <translation>Данные входа хранятся, пока работает Idlebrush.</translation>
    </message>
    <message>
        <source>Your sign-in is stored in a file that only you can read.</source>
        <translation>Данные входа хранятся в файле, который можете читать только вы.</translation>
    </message>
    <message>
        <source>This sign-in has expired.</source>
        <translation>Срок этого входа истёк.</translation>
    </message>
    <message>
        <source>Valid for another {time}.</source>
        <extracomment>{time} is such as &quot;9 min 30 s&quot;.</extracomment>
        <translation>Действует ещё {time}.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Проект</translation>
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
        <source>At most about {size} in each direction for the updates that the run has left ({updates}).</source>
        <translation>Не более примерно {size} в каждую сторону за обновления, которые остались у проекта ({updates}).</translation>
    </message>
    <message>
        <source>About {size} in each direction for the updates that the run has left ({updates}).</source>
        <translation>Примерно {size} в каждую сторону за обновления, которые остались у проекта ({updates}).</translation>
    </message>
    <message>
        <source>At most about {size} in each direction per day of uninterrupted training.</source>
        <translation>Не более примерно {size} в каждую сторону за сутки обучения без пауз.</translation>
    </message>
    <message>
        <source>About {size} in each direction per day of uninterrupted training.</source>
        <translation>Примерно {size} в каждую сторону за сутки обучения без пауз.</translation>
    </message>
    <message>
        <source>This is for {computers} computers and an update every {pace}: the newest pace of the run, as its website reports it, with this computer added.</source>
        <extracomment>{pace} is a duration such as &quot;15 s&quot;; there are two computers at least.</extracomment>
        <translation>Это для обновления раз в {pace} (компьютеров: {computers}): последний темп проекта по данным его сайта, вместе с этим компьютером.</translation>
    </message>
    <message>
        <source>This is for {computers} computers and an update every {pace}. The run&apos;s rules allow no faster pace.</source>
        <translation>Это для обновления раз в {pace} (компьютеров: {computers}). Более быстрый темп правила проекта не допускают.</translation>
    </message>
    <message>
        <source>This is for {computers} computers like this one, with an update every {pace}. The run&apos;s real pace is not known: it is more if the run is faster, and less if it is slower.</source>
        <translation>Это для обновления раз в {pace} (таких компьютеров, как этот: {computers}). Настоящий темп проекта неизвестен: если он быстрее, будет больше, если медленнее — меньше.</translation>
    </message>
    <message>
        <source>This is for {computers} computers and an update every {pace}. The run&apos;s real pace is not known: it is more if the run is faster, and less if it is slower.</source>
        <translation>Это для обновления раз в {pace} (компьютеров: {computers}). Настоящий темп проекта неизвестен: если он быстрее, будет больше, если медленнее — меньше.</translation>
    </message>
    <message>
        <source>You join this run in addition to {titles}. The runs take turns.</source>
        <extracomment>{titles} are the names of runs, with commas between them.</extracomment>
        <translation>Вы присоединяетесь к этому проекту в дополнение к уже выбранным: {titles}. Проекты работают по очереди.</translation>
    </message>
    <message>
        <source>In addition</source>
        <translation>В дополнение</translation>
    </message>
    <message>
        <source>You can pause or stop training at any time from the tray icon.</source>
        <translation>Приостановить или прекратить обучение можно в любое время через значок в трее.</translation>
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
        <source>Downloading the run&apos;s files: {share}, {size} left.</source>
        <extracomment>{share} is such as &quot;42%&quot;, {size} such as &quot;1.2 GB&quot;.</extracomment>
        <translation>Загрузка файлов проекта: {share}, осталось {size}.</translation>
    </message>
    <message>
        <source>Leave the setup for now?</source>
        <translation>Отложить настройку на потом?</translation>
    </message>
    <message>
        <source>Training starts only after you join a run. You can join one later from the window.</source>
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
        <source>its organiser</source>
        <translation>организатор</translation>
    </message>
    <message>
        <source>its title</source>
        <translation>название</translation>
    </message>
    <message>
        <source>who may join</source>
        <translation>кто может присоединиться</translation>
    </message>
    <message>
        <source>the size of its model</source>
        <translation>размер модели</translation>
    </message>
    <message>
        <source>its traffic</source>
        <translation>трафик</translation>
    </message>
    <message>
        <source>the memory that it needs</source>
        <translation>необходимая память</translation>
    </message>
    <message>
        <source>its download</source>
        <translation>загрузка</translation>
    </message>
    <message>
        <source>The run says otherwise than the list about {subjects}.</source>
        <extracomment>{subjects} is a list such as &quot;its title, who may join and its traffic&quot;.</extracomment>
        <translation>Сведения проекта расходятся со списком: {subjects}.</translation>
    </message>
    <message>
        <source>This run comes with Idlebrush and trains on this computer only.</source>
        <translation>Этот проект поставляется с Idlebrush и выполняется только на этом компьютере.</translation>
    </message>
    <message>
        <source>This run has no website. Its key is {key}.</source>
        <translation>У этого проекта нет сайта. Его ключ — {key}.</translation>
    </message>
    <message>
        <source>{where}, with the key {key}</source>
        <extracomment>{where} is a website, {key} a row of letters and digits.</extracomment>
        <translation>{where}, ключ {key}</translation>
    </message>
    <message>
        <source>Nothing. All files of the run are already on this computer.</source>
        <translation>Ничего. Все файлы проекта уже на этом компьютере.</translation>
    </message>
    <message>
        <source>{size}, once, before training starts.</source>
        <translation>{size}, один раз, перед началом обучения.</translation>
    </message>
    <message>
        <source>None. No other computer takes part.</source>
        <translation>Нет. Другие компьютеры не участвуют.</translation>
    </message>
    <message>
        <source>None. The run has made all of its updates.</source>
        <translation>Нет. Проект сделал все свои обновления.</translation>
    </message>
    <message>
        <source>If other computers can connect to this one, it can be up to {size}, and the model&apos;s state for each new computer that fetches it from here.</source>
        <translation>Если другие компьютеры могут подключаться к этому, может быть до {size}, и сверх того состояние модели для каждого нового компьютера, который получает его отсюда.</translation>
    </message>
    <message>
        <source>You can set limits in the preferences.</source>
        <translation>Ограничения можно задать в настройках.</translation>
    </message>
    <message>
        <source>At first, this computer fetches the model&apos;s state from others: {size}.</source>
        <translation>Сначала этот компьютер получает состояние модели от других: {size}.</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Связь</translation>
    </message>
    <message>
        <source>No address of the run answers. You can join, but this computer trains only once one of them answers. Check the Internet connection. If it works, ask the organiser whether the run continues.</source>
        <translation>Ни один адрес проекта не отвечает. Присоединиться можно, но обучение начнётся, только когда один из них ответит. Проверьте подключение к Интернету. Если оно работает, спросите организатора, продолжается ли проект.</translation>
    </message>
    <message>
        <source>This computer reaches the run over {protocols}. Whether other computers can connect to this one is found out when training starts.</source>
        <extracomment>{protocols} is &quot;IPv4&quot;, &quot;IPv6&quot;, or both.</extracomment>
        <translation>Этот компьютер связывается с проектом по {protocols}. Могут ли другие компьютеры подключаться к нему, выяснится при запуске обучения.</translation>
    </message>
    <message>
        <source>IPv4 and IPv6</source>
        <translation>IPv4 и IPv6</translation>
    </message>
    <message>
        <source>Nothing. None of your files is read or sent.</source>
        <translation>Ничего. Ваши файлы не читаются и не отправляются.</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address, its training speed, and your user name, which you can hide on the run&apos;s pages. None of your files is read or sent.</source>
        <translation>Интернет-адрес этого компьютера, его скорость обучения и ваше имя пользователя, которое можно скрыть на страницах проекта. Ваши файлы не читаются и не отправляются.</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address and its training speed, under a random name. None of your files is read or sent.</source>
        <translation>Интернет-адрес этого компьютера и его скорость обучения, под случайным именем. Ваши файлы не читаются и не отправляются.</translation>
    </message>
    <message>
        <source>Loading the run for the speed test. This can take a while on a busy computer…</source>
        <translation>Проект загружается для проверки скорости. На загруженном компьютере это может занять время…</translation>
    </message>
    <message>
        <source>Measuring the training speed of this computer…</source>
        <translation>Измеряется скорость обучения на этом компьютере…</translation>
    </message>
    <message>
        <source>Measure how fast this computer trains. The test takes a minute.</source>
        <translation>Измерьте, насколько быстро идёт обучение на этом компьютере. Проверка занимает минуту.</translation>
    </message>
    <message>
        <source>About {rate} samples per hour. The model is updated every {duration} with the samples of all computers together.</source>
        <extracomment>{rate} is a number, {duration} is such as &quot;4 min&quot;; samples are pictures with their descriptions.</extracomment>
        <translation>Около {rate} примеров в час. Модель обновляется с интервалом {duration} по примерам всех компьютеров вместе.</translation>
    </message>
    <message>
        <source>About {rate} samples per hour. Each update of the model needs {target} samples from all computers together.</source>
        <extracomment>{rate} is a number; the model learns from samples: pictures with their descriptions.</extracomment>
        <translation>Около {rate} примеров в час. Для каждого обновления модели нужно {target} примеров от всех компьютеров вместе.</translation>
    </message>
    <message>
        <source>This run admits members of {organisation} on the Hugging Face Hub.</source>
        <translation>Этот проект принимает участников {organisation} на Hugging Face Hub.</translation>
    </message>
    <message>
        <source>This run admits people on the organiser&apos;s list.</source>
        <translation>Этот проект принимает тех, кого организатор внёс в список.</translation>
    </message>
    <message>
        <source>This run admits people with an invitation from the organiser.</source>
        <translation>Этот проект принимает тех, у кого есть приглашение организатора.</translation>
    </message>
    <message>
        <source>This run admits anyone who signs in with the Hugging Face Hub.</source>
        <translation>Этот проект принимает всех, кто входит через Hugging Face Hub.</translation>
    </message>
    <message>
        <source>You sign in at {hub}. The sign-in proves your identity to {coordinator} only. The organiser learns your user name and gets no access to your account.</source>
        <translation>Вы входите на {hub}. Вход подтверждает вашу личность только для {coordinator}. Организатор узнаёт ваше имя пользователя и не получает доступа к вашей учётной записи.</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background.</source>
        <translation>Idlebrush не работает в фоне.</translation>
    </message>
    <message>
        <source>The sign-in is still in progress.</source>
        <translation>Вход ещё выполняется.</translation>
    </message>
    <message>
        <source>Choose a run first.</source>
        <translation>Сначала выберите проект.</translation>
    </message>
    <message>
        <source>Inspecting the run. One moment.</source>
        <translation>Проект изучается. Подождите немного.</translation>
    </message>
    <message>
        <source>Choose a run that you can join.</source>
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
        <source>Half of the time (cooler and quieter)</source>
        <translation>Половина времени (прохладнее и тише)</translation>
    </message>
    <message>
        <source>A quarter of the time (hardly noticeable)</source>
        <translation>Четверть времени (почти незаметно)</translation>
    </message>
    <message>
        <source>Custom: {value}</source>
        <extracomment>{value} is what was set elsewhere, such as &quot;mon-fri 18:00-08:00&quot;.</extracomment>
        <translation>Своё значение: {value}</translation>
    </message>
    <message>
        <source>This computer trains whenever your preferences allow it.</source>
        <translation>Обучение идёт всегда, когда это разрешают ваши настройки.</translation>
    </message>
    <message>
        <source>This computer always trains, even while you use it.</source>
        <translation>Обучение идёт всегда, даже пока вы пользуетесь компьютером.</translation>
    </message>
    <message>
        <source>This computer does not train until you allow it.</source>
        <translation>Обучение не начнётся, пока вы не разрешите.</translation>
    </message>
    <message>
        <source>This computer trains after {idle} without input. Hours: {hours}.</source>
        <extracomment>{idle} is such as &quot;3 min&quot;; {hours} is such as &quot;At any hour&quot;, &quot;At night&quot;.</extracomment>
        <translation>Обучение идёт, если компьютером не пользовались {idle}. Часы: {hours}.</translation>
    </message>
    <message>
        <source>Training pauses only when the computer is hot or low on battery or memory.</source>
        <translation>Обучение приостанавливается только при перегреве или когда не хватает заряда батареи или памяти.</translation>
    </message>
    <message>
        <source>This computer also trains on battery.</source>
        <translation>Обучение идёт и при работе от батареи.</translation>
    </message>
    <message>
        <source>Training pauses on battery, during games and videos, and when the computer is hot.</source>
        <translation>Обучение приостанавливается при работе от батареи, во время игр и видео и при перегреве.</translation>
    </message>
    <message>
        <source>Training uses at most {share} of the time.</source>
        <extracomment>{share} is such as &quot;50%&quot;.</extracomment>
        <translation>Обучение занимает не более {share} времени.</translation>
    </message>
    <message>
        <source>Idlebrush starts when you log in.</source>
        <translation>Idlebrush запускается при входе в систему.</translation>
    </message>
    <message>
        <source>Idlebrush starts when you open it.</source>
        <translation>Idlebrush запускается, когда вы его открываете.</translation>
    </message>
    <message>
        <source>Welcome to Idlebrush</source>
        <translation>Добро пожаловать в Idlebrush</translation>
    </message>
    <message>
        <source>Packages for training</source>
        <translation>Пакеты для обучения</translation>
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
    <name>FoundRuns</name>
    <message>
        <source>This run is over.</source>
        <translation>Этот проект завершён.</translation>
    </message>
    <message>
        <source>The graphics card of this computer can train it.</source>
        <translation>Видеокарта этого компьютера может его обучать.</translation>
    </message>
    <message>
        <source>The processor of this computer can train it.</source>
        <translation>Процессор этого компьютера может его обучать.</translation>
    </message>
    <message>
        <source>It needs more memory than this computer has free.</source>
        <translation>Ему нужно больше памяти, чем свободно на этом компьютере.</translation>
    </message>
    <message>
        <source>no sign-in needed</source>
        <translation>без входа</translation>
    </message>
    <message>
        <source>for anyone with a Hugging Face account</source>
        <translation>для всех с учётной записью Hugging Face</translation>
    </message>
    <message>
        <source>for members of an organisation</source>
        <translation>для участников организации</translation>
    </message>
    <message>
        <source>for users on the organiser&apos;s list</source>
        <translation>для пользователей из списка организатора</translation>
    </message>
    <message>
        <source>by invitation</source>
        <translation>по приглашению</translation>
    </message>
    <message>
        <source>{size} a day each way</source>
        <extracomment>{size} is an amount of data such as &quot;3 GB&quot;.</extracomment>
        <translation>{size} в день в каждую сторону</translation>
    </message>
    <message>
        <source>volunteers: {count}</source>
        <extracomment>{count} is a number.</extracomment>
        <translation>добровольцев: {count}</translation>
    </message>
    <message>
        <source>Show the run</source>
        <translation>Показать проект</translation>
    </message>
    <message>
        <source>Show {run}</source>
        <extracomment>{run} is the title of a run.</extracomment>
        <translation>Показать {run}</translation>
    </message>
    <message>
        <source>Reading the lists…</source>
        <translation>Чтение списков…</translation>
    </message>
    <message>
        <source>Lists of runs are kept by people whom you trust, such as a club or a website. Add one by its address and the key that its keeper publishes. You see each run before you join it.</source>
        <translation>Списки проектов ведут те, кому вы доверяете, например клуб или сайт. Добавьте список по его адресу и ключу, который публикует его составитель. Вы увидите каждый проект, прежде чем присоединиться.</translation>
    </message>
    <message>
        <source>There is no run on your lists.</source>
        <translation>В ваших списках нет проектов.</translation>
    </message>
    <message>
        <source>This is what the lists say. The run&apos;s own facts follow before you join.</source>
        <translation>Так говорят списки. Сведения самого проекта вы увидите до присоединения.</translation>
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
        <source>Pictures shown</source>
        <translation>Показанные картинки</translation>
    </message>
</context>
<context>
    <name>GatePanel</name>
    <message>
        <source>Only members can train this run</source>
        <translation>В этом проекте могут участвовать только его члены</translation>
    </message>
    <message>
        <source>Invitation code</source>
        <translation>Код приглашения</translation>
    </message>
    <message>
        <source>Sign in with the browser</source>
        <translation>Войти через браузер</translation>
    </message>
    <message>
        <source>Use a code instead</source>
        <translation>Использовать код</translation>
    </message>
    <message>
        <source>You are admitted to this run.</source>
        <translation>Вы допущены к этому проекту.</translation>
    </message>
    <message>
        <source>Only until Idlebrush quits</source>
        <translation>Только пока работает Idlebrush</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot store your membership</source>
        <translation>Связка ключей этого компьютера не может хранить данные о вашем участии</translation>
    </message>
    <message>
        <source>Unlock the keyring and try again, or sign in only until Idlebrush quits.</source>
        <translation>Разблокируйте связку ключей и попробуйте снова или войдите только на время работы Idlebrush.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Попробовать снова</translation>
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
    <name>HiddenChangesNote</name>
    <message numerus="yes">
        <source>%Ln more setting(s) differ from the default</source>
        <translation>
            <numerusform>Ещё %Ln настройка отличается от значения по умолчанию</numerusform>
            <numerusform>Ещё %Ln настройки отличаются от значений по умолчанию</numerusform>
            <numerusform>Ещё %Ln настроек отличаются от значений по умолчанию</numerusform>
        </translation>
    </message>
    <message>
        <source>Show them</source>
        <translation>Показать их</translation>
    </message>
</context>
<context>
    <name>HoursEditor</name>
    <message>
        <source>Drag to select hours, or move with the arrow keys and press Space. You can also type the hours into the field.</source>
        <translation>Выделяйте часы мышью или двигайтесь стрелками и нажимайте пробел. Часы можно также вписать в поле.</translation>
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
    <name>JoinedRunRow</name>
    <message>
        <source>Share: </source>
        <translation>Доля: </translation>
    </message>
    <message>
        <source>Leave…</source>
        <translation>Выйти…</translation>
    </message>
    <message>
        <source>Share of {title}</source>
        <translation>Доля проекта «{title}»</translation>
    </message>
    <message>
        <source>Its part of the time is its share divided by the sum of all shares.</source>
        <translation>Его часть времени — это его доля, делённая на сумму всех долей.</translation>
    </message>
    <message>
        <source>Leave {title}</source>
        <translation>Выйти из проекта «{title}»</translation>
    </message>
</context>
<context>
    <name>JoinedRuns</name>
    <message>
        <source>It has its turn.</source>
        <translation>Сейчас его очередь.</translation>
    </message>
    <message>
        <source>It waits for its turn.</source>
        <translation>Он ждёт своей очереди.</translation>
    </message>
    <message>
        <source>It trains only while no other run can.</source>
        <translation>Обучение идёт, только пока не может ни один другой проект.</translation>
    </message>
    <message>
        <source>It has done all of its epochs.</source>
        <translation>Он прошёл все свои эпохи.</translation>
    </message>
    <message>
        <source>It needs a newer version of Idlebrush.</source>
        <translation>Ему нужна более новая версия Idlebrush.</translation>
    </message>
    <message>
        <source>It does not admit you, or asks you to sign in.</source>
        <translation>Он вас не допускает или просит войти.</translation>
    </message>
    <message>
        <source>It needs more memory than training may use.</source>
        <translation>Ему нужно больше памяти, чем может занять обучение.</translation>
    </message>
    <message>
        <source>Its trainer fails again and again.</source>
        <translation>Его обучение снова и снова завершается ошибкой.</translation>
    </message>
    <message>
        <source>Its other computers do not answer.</source>
        <translation>Другие его компьютеры не отвечают.</translation>
    </message>
    <message>
        <source>Its files are missing.</source>
        <translation>Его файлов не хватает.</translation>
    </message>
    <message>
        <source>Next attempt: {moment}.</source>
        <extracomment>{moment} is a time of the day, or a day and a time.</extracomment>
        <translation>Следующая попытка: {moment}.</translation>
    </message>
    <message>
        <source>{part} of the time by its share · {week} of the last 7 days · {time} in all</source>
        <extracomment>{part} and {week} are such as &quot;25%&quot;, {time} is such as &quot;3 h 20 min&quot;.</extracomment>
        <translation>{part} времени по его доле · {week} за последние 7 дней · {time} всего</translation>
    </message>
    <message>
        <source>Leave {title}?</source>
        <translation>Выйти из проекта «{title}»?</translation>
    </message>
    <message>
        <source>This computer no longer trains it. Its files and what you contributed are kept, and you can join again.</source>
        <translation>Этот компьютер больше не будет его обучать. Его файлы и ваш вклад сохранятся, и вы сможете присоединиться снова.</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Выйти</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Остаться</translation>
    </message>
</context>
<context>
    <name>JoinedRunsCard</name>
    <message>
        <source>Your runs</source>
        <translation>Ваши проекты</translation>
    </message>
    <message>
        <source>This computer can train several runs in turns, each for its share of the time.</source>
        <translation>Этот компьютер может обучать несколько проектов по очереди, каждый в течение его доли времени.</translation>
    </message>
    <message>
        <source>Join another run</source>
        <translation>Присоединиться к ещё одному проекту</translation>
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
        <source>Copy prompt and seed</source>
        <translation>Копировать запрос и зерно</translation>
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
        <source>The picture is copied to the clipboard</source>
        <translation>Картинка скопирована в буфер обмена</translation>
    </message>
    <message>
        <source>Prompt and seed are copied to the clipboard</source>
        <translation>Запрос и зерно скопированы в буфер обмена</translation>
    </message>
</context>
<context>
    <name>LeaderboardPage</name>
    <message>
        <source>Volunteers</source>
        <translation>Участники</translation>
    </message>
    <message>
        <source>Teams</source>
        <translation>Команды</translation>
    </message>
    <message>
        <source>Ranks of</source>
        <translation>Чьи места</translation>
    </message>
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
        <source>Period</source>
        <translation>Период</translation>
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
        <source>You are ranked {rank} of {total}.</source>
        <translation>Ваше место: {rank} из {total}.</translation>
    </message>
    <message>
        <source>Volunteers so far: {total}. This run has no sign-in, so your row is unknown.</source>
        <translation>Участников: {total}. В этом проекте нет входа, поэтому ваша строка неизвестна.</translation>
    </message>
    <message>
        <source>Teams so far: {total}. Join one, and your samples count for it from then on; they stay with it.</source>
        <translation>Команд пока: {total}. Вступите в одну из них, и с этого момента ваши примеры будут засчитываться ей; они остаются за ней.</translation>
    </message>
    <message>
        <source>Your team {name} is ranked {rank} of {total}.</source>
        <translation>Место вашей команды {name}: {rank} из {total}.</translation>
    </message>
    <message>
        <source>You lead it: your page on the website renames it or hands it over.</source>
        <translation>Вы её возглавляете: переименовать или передать её можно на вашей странице на сайте.</translation>
    </message>
    <message>
        <source>Samples of yours that are not credited: {count}.</source>
        <translation>Ваши примеры, которые не засчитаны: {count}.</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Нет связи</translation>
    </message>
    <message>
        <source>The leaderboard appears here once Idlebrush runs in the background.</source>
        <translation>Таблица лидеров появится здесь, когда Idlebrush заработает в фоне.</translation>
    </message>
    <message>
        <source>You have not joined a run yet</source>
        <translation>Вы ещё не присоединились к проекту</translation>
    </message>
    <message>
        <source>Join a run to compare your contribution with others.</source>
        <translation>Присоединитесь к проекту, чтобы сравнить свой вклад с вкладом других.</translation>
    </message>
    <message>
        <source>This run has no leaderboard</source>
        <translation>У этого проекта нет таблицы лидеров</translation>
    </message>
    <message>
        <source>The organiser does not count contributions. This computer counts yours on the page My contribution.</source>
        <translation>Организатор не ведёт учёт вклада. Этот компьютер считает ваш вклад на странице «Мой вклад».</translation>
    </message>
    <message>
        <source>No volunteers yet</source>
        <translation>Участников пока нет</translation>
    </message>
    <message>
        <source>The leaderboard starts with the first completed epoch.</source>
        <translation>Таблица лидеров начнётся с первой завершённой эпохи.</translation>
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
        <source>Licence</source>
        <translation>Лицензия</translation>
    </message>
    <message>
        <source>Licence text</source>
        <translation>Текст лицензии</translation>
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
        <source>The embedded run: sources</source>
        <translation>Встроенный проект: источники</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Библиотеки</translation>
    </message>
    <message>
        <source>The app is built with Qt, by the Qt Company and contributors, and with Qt for Python (PySide6). Idlebrush uses both under the GNU Lesser General Public License, version 3. Both are installed as separate files. You may replace them with your own versions and reverse-engineer them to debug your changes.

Licence: https://www.gnu.org/licenses/lgpl-3.0.html
Source code: https://download.qt.io/official_releases/QtForPython/</source>
        <translation>Приложение создано с помощью Qt, разработанного Qt Company и участниками, и Qt for Python (PySide6). Idlebrush использует их по лицензии GNU Lesser General Public License версии 3. Они установлены отдельными файлами. Вы можете заменить их своими версиями и выполнять обратную разработку, чтобы отлаживать свои изменения.

Лицензия: https://www.gnu.org/licenses/lgpl-3.0.html
Исходные тексты: https://download.qt.io/official_releases/QtForPython/</translation>
    </message>
    <message>
        <source>see the package</source>
        <translation>см. пакет</translation>
    </message>
</context>
<context>
    <name>LineChart</name>
    <message>
        <source>From {first} at {start} to {last} at {end}. The lowest is {low}, the highest {high}. Use the arrow keys to read single values.</source>
        <translation>От {first} ({start}) до {last} ({end}). Наименьшее значение — {low}, наибольшее — {high}. Отдельные значения можно прочитать стрелками.</translation>
    </message>
</context>
<context>
    <name>LinesCard</name>
    <message>
        <source>{button}: {what}</source>
        <extracomment>Of a button such as &quot;Change this&quot;: {what} is what it helps against.</extracomment>
        <translation>{button}: {what}</translation>
    </message>
</context>
<context>
    <name>LinkPanel</name>
    <message>
        <source>Link to the run</source>
        <translation>Ссылка на проект</translation>
    </message>
    <message>
        <source>Show the run</source>
        <translation>Показать проект</translation>
    </message>
    <message>
        <source>This is not a link to a run. Links to runs begin with idlebrush: or https://</source>
        <translation>Это не ссылка на проект. Ссылки на проекты начинаются с idlebrush: или https://</translation>
    </message>
</context>
<context>
    <name>ListPanel</name>
    <message>
        <source>Address of a list of runs</source>
        <translation>Адрес списка проектов</translation>
    </message>
    <message>
        <source>Its key</source>
        <translation>Его ключ</translation>
    </message>
    <message>
        <source>Key of the list&apos;s keeper</source>
        <translation>Ключ составителя списка</translation>
    </message>
    <message>
        <source>Add this list</source>
        <translation>Добавить этот список</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>Все проекты</translation>
    </message>
    <message>
        <source>Enter the address of the list and the key that its keeper publishes.</source>
        <translation>Введите адрес списка и ключ, который публикует его составитель.</translation>
    </message>
    <message>
        <source>Remove this list</source>
        <translation>Удалить этот список</translation>
    </message>
    <message>
        <source>Remove {list}</source>
        <extracomment>{list} is the title of a list of runs.</extracomment>
        <translation>Удалить {list}</translation>
    </message>
</context>
<context>
    <name>LocalSwarm</name>
    <message>
        <source>It does not run now. Its model and its website are kept.</source>
        <translation>Сейчас он не работает. Его модель и сайт сохранены.</translation>
    </message>
    <message>
        <source>Its coordinator is being started.</source>
        <translation>Его координатор запускается.</translation>
    </message>
    <message>
        <source>It is served by a terminal. This app goes on with it afterwards.</source>
        <translation>Его обслуживает терминал. Потом это приложение продолжит.</translation>
    </message>
    <message>
        <source>This computer runs a coordinator with a website and a leaderboard, and a second trainer beside your own. No other computer takes part.</source>
        <translation>На этом компьютере работают координатор с сайтом и таблицей лидеров и второй тренер рядом с вашим. Другие компьютеры не участвуют.</translation>
    </message>
    <message>
        <source>Stop and remove the swarm on this computer?</source>
        <translation>Остановить и удалить рой на этом компьютере?</translation>
    </message>
    <message>
        <source>Its model, its website and its leaderboard are deleted. Your pictures are kept.</source>
        <translation>Его модель, сайт и таблица лидеров будут удалены. Ваши картинки сохранятся.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Удалить</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Оставить</translation>
    </message>
</context>
<context>
    <name>LocalSwarmCard</name>
    <message>
        <source>The swarm on this computer</source>
        <translation>Рой на этом компьютере</translation>
    </message>
    <message>
        <source>Open its website</source>
        <translation>Открыть его сайт</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Запустить снова</translation>
    </message>
    <message>
        <source>Stop and remove…</source>
        <translation>Остановить и удалить…</translation>
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
        <source>New lines appear here.</source>
        <translation>Новые строки появятся здесь.</translation>
    </message>
    <message>
        <source>Copies the selected lines, or all lines shown</source>
        <translation>Копирует выбранные строки или все показанные</translation>
    </message>
    <message>
        <source>Full text of the selected lines</source>
        <translation>Выбранные строки целиком</translation>
    </message>
</context>
<context>
    <name>LogTools</name>
    <message>
        <source>Find in the log</source>
        <translation>Искать в журнале</translation>
    </message>
    <message>
        <source>Follow new lines</source>
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
        <source>Log file</source>
        <translation>Файл журнала</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Уровень</translation>
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
    <name>LogView</name>
    <message>
        <source>Lines of the log</source>
        <translation>Строки журнала</translation>
    </message>
</context>
<context>
    <name>LossCurve</name>
    <message>
        <source>Loss by epoch</source>
        <translation>Ошибка модели по эпохам</translation>
    </message>
    <message>
        <source>The curve starts with the swarm&apos;s first epoch.</source>
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
        <source>Now {loss}, at the start {first}</source>
        <translation>Сейчас {loss}, в начале {first}</translation>
    </message>
</context>
<context>
    <name>Mosaic</name>
    <message>
        <source>A sunset over the sea in small brush strokes, which emerges from noise</source>
        <translation>Закат над морем мелкими мазками, который возникает из шума</translation>
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
    <name>NewsCard</name>
    <message>
        <source>News from the organiser</source>
        <translation>Новости от организатора</translation>
    </message>
</context>
<context>
    <name>NewsDialog</name>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Закрыть</translation>
    </message>
    <message>
        <source>What&apos;s new in Idlebrush {version}</source>
        <translation>Что нового в Idlebrush {version}</translation>
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
        <source>The packages for training are not installed.</source>
        <translation>Пакеты для обучения не установлены.</translation>
    </message>
    <message>
        <source>You are ranked {rank} of {of} in “{run}”.</source>
        <translation>Ваше место в проекте «{run}»: {rank} из {of}.</translation>
    </message>
    <message>
        <source>Your best rank so far</source>
        <translation>Ваше лучшее место на сегодня</translation>
    </message>
    <message>
        <source>“{run}” has completed all of its epochs. Open the gallery to see its pictures.</source>
        <translation>Проект «{run}» прошёл все эпохи. Откройте галерею, чтобы увидеть картинки.</translation>
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
        <source>Join a run. This computer then helps to train a model whenever you do not need it.</source>
        <translation>Присоединитесь к проекту. Этот компьютер будет помогать обучать модель, пока он вам не нужен.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Выбрать проект</translation>
    </message>
    <message>
        <source>This page shows what Idlebrush does once it runs in the background.</source>
        <translation>Эта страница покажет, что делает Idlebrush, когда он заработает в фоне.</translation>
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
    <message>
        <source>Show updates</source>
        <translation>Показать обновления</translation>
    </message>
</context>
<context>
    <name>NowView</name>
    <message>
        <source>Training waits for data {percent} of the time</source>
        <translation>Обучение ждёт данные {percent} времени</translation>
    </message>
    <message>
        <source>The connection or its speed limit is too slow for this computer.</source>
        <translation>Соединение или его ограничение скорости слишком медленное для этого компьютера.</translation>
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
        <source>Samples so far: {gathered}</source>
        <extracomment>{gathered} is a number. The clock ends this epoch, whatever was gathered.</extracomment>
        <translation>Примеров на данный момент: {gathered}</translation>
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
        <source>About {duration} left</source>
        <translation>Осталось около {duration}</translation>
    </message>
    <message>
        <source>Swarm speed</source>
        <translation>Скорость роя</translation>
    </message>
    <message>
        <source>Your speed</source>
        <translation>Ваша скорость</translation>
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
        <source>%Ln request(s) for pictures in the queue</source>
        <translation>
            <numerusform>%Ln запрос картинок в очереди</numerusform>
            <numerusform>%Ln запроса картинок в очереди</numerusform>
            <numerusform>%Ln запросов картинок в очереди</numerusform>
        </translation>
    </message>
    <message>
        <source>How this computer trains</source>
        <translation>Как идёт обучение на этом компьютере</translation>
    </message>
    <message>
        <source>This computer trains on its processor, not on its GPU</source>
        <translation>Этот компьютер обучает на процессоре, а не на GPU</translation>
    </message>
    <message>
        <source>Its driver keeps it.</source>
        <translation>Предел соблюдает драйвер.</translation>
    </message>
    <message>
        <source>Lower clocks and short breaks between steps keep it on average, because its driver does not let Idlebrush set the limit.</source>
        <translation>Предел в среднем соблюдается за счёт пониженных частот и коротких перерывов между шагами, так как драйвер не даёт Idlebrush его задать.</translation>
    </message>
    <message>
        <source>Short breaks between steps keep it on average, because its driver does not let Idlebrush set the limit.</source>
        <translation>Предел в среднем соблюдается за счёт коротких перерывов между шагами, так как драйвер не даёт Idlebrush его задать.</translation>
    </message>
    <message>
        <source>This GPU reports no limit of which a percentage could be taken. Set the limit in watts.</source>
        <translation>Этот GPU не сообщает предела, от которого можно взять процент. Задайте предел в ваттах.</translation>
    </message>
    <message>
        <source>The power of the GPU is not limited</source>
        <translation>Мощность GPU не ограничена</translation>
    </message>
    <message>
        <source>The power of the GPU is limited to {watts} W</source>
        <translation>Мощность GPU ограничена до {watts} Вт</translation>
    </message>
    <message numerus="yes">
        <source>On the GPU with %Ln sample(s) at a time, {gpu_memory} of GPU memory and {memory} of RAM.</source>
        <translation>
            <numerusform>На GPU, по %Ln примеру за раз: {gpu_memory} памяти GPU и {memory} оперативной памяти.</numerusform>
            <numerusform>На GPU, по %Ln примера за раз: {gpu_memory} памяти GPU и {memory} оперативной памяти.</numerusform>
            <numerusform>На GPU, по %Ln примеров за раз: {gpu_memory} памяти GPU и {memory} оперативной памяти.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>On the processor with %Ln sample(s) at a time and {memory} of RAM.</source>
        <translation>
            <numerusform>На процессоре, по %Ln примеру за раз: {memory} оперативной памяти.</numerusform>
            <numerusform>На процессоре, по %Ln примера за раз: {memory} оперативной памяти.</numerusform>
            <numerusform>На процессоре, по %Ln примеров за раз: {memory} оперативной памяти.</numerusform>
        </translation>
    </message>
    <message>
        <source>GPU {index} ({name}) trains</source>
        <translation>GPU {index} ({name}) обучает</translation>
    </message>
    <message>
        <source>GPU {index} ({name}) is not used: {why}.</source>
        <translation>GPU {index} ({name}) не используется: {why}.</translation>
    </message>
    <message>
        <source>your preferences leave it out</source>
        <translation>он исключён в ваших настройках</translation>
    </message>
    <message>
        <source>other programs use it</source>
        <translation>его используют другие программы</translation>
    </message>
    <message>
        <source>it has less free memory</source>
        <translation>у него меньше свободной памяти</translation>
    </message>
    <message>
        <source>it is slower</source>
        <translation>он медленнее</translation>
    </message>
    <message>
        <source>it draws the screen</source>
        <translation>он выводит изображение на экран</translation>
    </message>
    <message>
        <source>one GPU trains at a time</source>
        <translation>обучает только один GPU за раз</translation>
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
</context>
<context>
    <name>OfferDialog</name>
    <message>
        <source>&amp;Look at the other run</source>
        <translation>&amp;Посмотреть другой проект</translation>
    </message>
    <message>
        <source>&amp;Stay</source>
        <translation>&amp;Остаться</translation>
    </message>
    <message>
        <source>No run</source>
        <translation>Нет проекта</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Закрыть</translation>
    </message>
    <message>
        <source>The files of {title} are being downloaded, and the link or file leads to another run. Looking at it stops the download. What has arrived is kept.</source>
        <translation>Загружаются файлы проекта {title}, а ссылка или файл ведёт к другому проекту. Если посмотреть его, загрузка остановится. Уже загруженное сохранится.</translation>
    </message>
    <message>
        <source>Stop the download?</source>
        <translation>Остановить загрузку?</translation>
    </message>
    <message>
        <source>This computer trains {title}, and the link or file leads to another run. Looking at it changes nothing: you decide afterwards. If you join it, this computer trains both in turns.</source>
        <translation>Этот компьютер обучает проект «{title}», а ссылка или файл ведёт к другому проекту. Просмотр ничего не меняет: решить можно потом. Если вы присоединитесь, этот компьютер будет обучать оба по очереди.</translation>
    </message>
    <message>
        <source>Look at another run?</source>
        <translation>Посмотреть другой проект?</translation>
    </message>
    <message>
        <source>Another run</source>
        <translation>Другой проект</translation>
    </message>
</context>
<context>
    <name>Offers</name>
    <message>
        <source>This computer already trains {title}.</source>
        <translation>Этот компьютер уже участвует в проекте {title}.</translation>
    </message>
</context>
<context>
    <name>Order</name>
    <message>
        <source>The prompt contains characters that cannot be used.</source>
        <translation>В запросе есть знаки, которые нельзя использовать.</translation>
    </message>
    <message>
        <source>Describe in plain words what the picture should show.</source>
        <translation>Опишите простыми словами, что должно быть на картинке.</translation>
    </message>
    <message>
        <source>Describe what the pictures should show.</source>
        <translation>Опишите, что должно быть на картинках.</translation>
    </message>
    <message>
        <source>The prompt is too long. A few words work best.</source>
        <translation>Запрос слишком длинный. Лучше всего несколько слов.</translation>
    </message>
</context>
<context>
    <name>OutcomeCard</name>
    <message>
        <source>What the model writes</source>
        <translation>Что пишет модель</translation>
    </message>
    <message>
        <source>See how the model improved</source>
        <translation>Посмотреть, как модель улучшалась</translation>
    </message>
    <message>
        <source>All {epochs} epochs are complete</source>
        <translation>Пройдены все эпохи: {epochs}</translation>
    </message>
    <message>
        <source>Thank you for helping to train “{run}”.</source>
        <translation>Спасибо, что помогли обучить модель проекта «{run}».</translation>
    </message>
</context>
<context>
    <name>OwnPictures</name>
    <message>
        <source>Show older pictures</source>
        <translation>Показать более старые картинки</translation>
    </message>
    <message>
        <source>The pictures for “{prompt}” are ready</source>
        <translation>Картинки по запросу «{prompt}» готовы</translation>
    </message>
    <message>
        <source>No pictures yet</source>
        <translation>Картинок пока нет</translation>
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
        <source>Choose a run. Its model then draws pictures for your prompts.</source>
        <translation>Выберите проект. Его модель будет рисовать картинки по вашим запросам.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Выбрать проект</translation>
    </message>
    <message>
        <source>The pictures for “{prompt}” could not be drawn</source>
        <translation>Картинки по запросу «{prompt}» не удалось нарисовать</translation>
    </message>
    <message>
        <source>Your pictures cannot be read</source>
        <translation>Ваши картинки нельзя прочитать</translation>
    </message>
</context>
<context>
    <name>PairingDialog</name>
    <message>
        <source>Let another computer control this one</source>
        <translation>Разрешить другому компьютеру управлять этим</translation>
    </message>
    <message>
        <source>On your other computer, open My computers, choose “Add a computer…”, and enter:</source>
        <translation>На другом своём компьютере откройте «Мои компьютеры», выберите «Добавить компьютер…» и введите:</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Закрыть</translation>
    </message>
    <message>
        <source>Code: {code}</source>
        <extracomment>{code} is spelt out by screen readers.</extracomment>
        <translation>Код: {code}</translation>
    </message>
    <message>
        <source>Address of this computer:
{addresses}</source>
        <extracomment>{addresses} are addresses of this computer, one below the other.</extracomment>
        <translation>Адрес этого компьютера:
{addresses}</translation>
    </message>
</context>
<context>
    <name>PictureViewer</name>
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
    <name>Plan</name>
    <message>
        <source>This run needs more memory than this computer can provide.</source>
        <translation>Этому проекту нужно больше памяти, чем может выделить этот компьютер.</translation>
    </message>
    <message>
        <source>Trains on {device} with {gpu_memory} of GPU memory and {memory} of RAM.</source>
        <extracomment>{gpu_memory} and {memory} are such as &quot;5.2 GB&quot;.</extracomment>
        <translation>Обучение на {device}: {gpu_memory} памяти GPU и {memory} оперативной памяти.</translation>
    </message>
    <message>
        <source>Trains on the processor with {memory} of RAM.</source>
        <translation>Обучение на процессоре: {memory} оперативной памяти.</translation>
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
        <source>Train</source>
        <translation>Обучение</translation>
    </message>
    <message>
        <source>“Always” ignores the settings for your convenience. It still respects the limits that protect the computer and your bill: heat, memory, disk, battery charge, price of electricity, metered connections and the monthly quota.</source>
        <translation>«Всегда» не учитывает настройки для вашего удобства. Но ограничения, которые берегут компьютер и ваши расходы, соблюдаются: нагрев, память, диск, заряд батареи, цена электроэнергии, лимитные подключения и месячный лимит трафика.</translation>
    </message>
    <message>
        <source>Hours of the week</source>
        <translation>Часы обучения</translation>
    </message>
    <message>
        <source>Idle after</source>
        <translation>Бездействие через</translation>
    </message>
    <message>
        <source>Processor share while in use</source>
        <translation>Доля процессора, пока вы за компьютером</translation>
    </message>
    <message>
        <source>GPU share while in use</source>
        <translation>Доля GPU, пока вы за компьютером</translation>
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
        <source>Lowest battery charge</source>
        <translation>Минимальный заряд батареи</translation>
    </message>
    <message>
        <source>Highest processor temperature</source>
        <translation>Предел температуры процессора</translation>
    </message>
    <message>
        <source>Highest GPU temperature</source>
        <translation>Предел температуры GPU</translation>
    </message>
    <message>
        <source>Processor load of other programs</source>
        <translation>Процессор занят другими программами</translation>
    </message>
    <message>
        <source>GPU load of other programs</source>
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
        <source>Disk space for runs</source>
        <translation>Место на диске для проектов</translation>
    </message>
    <message>
        <source>Disk space to keep free</source>
        <translation>Оставить свободным на диске</translation>
    </message>
    <message>
        <source>Memory for training</source>
        <translation>Память для обучения</translation>
    </message>
    <message>
        <source>Memory to keep free</source>
        <translation>Оставить свободной памяти</translation>
    </message>
    <message>
        <source>GPU memory for training</source>
        <translation>Память GPU для обучения</translation>
    </message>
    <message>
        <source>GPU memory for other programs</source>
        <translation>Память GPU для других программ</translation>
    </message>
    <message>
        <source>Keep memory during pauses for</source>
        <translation>Удерживать память на паузе</translation>
    </message>
    <message>
        <source>Free GPU memory at every pause</source>
        <translation>Освобождать память GPU при каждой паузе</translation>
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
        <source>Monthly traffic quota</source>
        <translation>Месячный лимит трафика</translation>
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
        <source>Training is allowed during these hours of the week, in local time.</source>
        <translation>Обучение разрешено в эти часы недели, по местному времени.</translation>
    </message>
    <message>
        <source>Change runs after</source>
        <translation>Менять проект через</translation>
    </message>
    <message>
        <source>If several runs are joined, another one may take over after this time of training, at the end of an epoch.</source>
        <translation>Если вы присоединились к нескольким проектам, после этого времени обучения, в конце эпохи, может начаться очередь другого.</translation>
    </message>
    <message>
        <source>The computer counts as idle after this time without keyboard or mouse input.</source>
        <translation>Компьютер считается бездействующим после этого времени без ввода с клавиатуры и мыши.</translation>
    </message>
    <message>
        <source>While you use the computer, training on the processor pauses or continues for this share of the time.</source>
        <translation>Пока вы пользуетесь компьютером, обучение на процессоре приостанавливается или идёт в течение этой доли времени.</translation>
    </message>
    <message>
        <source>While you use the computer, training on a GPU pauses or continues for this share of the time.</source>
        <translation>Пока вы пользуетесь компьютером, обучение на GPU приостанавливается или идёт в течение этой доли времени.</translation>
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
        <source>Pause or continue training while the computer runs on battery.</source>
        <translation>Приостанавливать или продолжать обучение, пока компьютер работает от батареи.</translation>
    </message>
    <message>
        <source>If training is allowed on battery, it pauses below this charge.</source>
        <translation>Если обучение при работе от батареи разрешено, ниже этого заряда оно приостанавливается.</translation>
    </message>
    <message>
        <source>Pause above this temperature until the processor has cooled by 5 °C.</source>
        <translation>Пауза выше этой температуры, пока процессор не остынет на 5&#xa0;°C.</translation>
    </message>
    <message>
        <source>Pause above this temperature until the GPU has cooled by 5 °C.</source>
        <translation>Пауза выше этой температуры, пока GPU не остынет на 5&#xa0;°C.</translation>
    </message>
    <message>
        <source>Target temperature of the processor</source>
        <translation>Целевая температура процессора</translation>
    </message>
    <message>
        <source>Hold the processor at this temperature by short breaks between steps. Set it below the limit for pausing.</source>
        <translation>Удерживать эту температуру процессора короткими перерывами между шагами. Задайте её ниже предела для паузы.</translation>
    </message>
    <message>
        <source>Target temperature of the GPU</source>
        <translation>Целевая температура GPU</translation>
    </message>
    <message>
        <source>Hold the GPU at this temperature by short breaks between steps. Set it below the limit for pausing.</source>
        <translation>Удерживать эту температуру GPU короткими перерывами между шагами. Задайте её ниже предела для паузы.</translation>
    </message>
    <message>
        <source>Power of the GPU</source>
        <translation>Мощность GPU</translation>
    </message>
    <message>
        <source>Limit the power of the GPU while it trains, by its driver where that is allowed, otherwise by short breaks between steps. Your own setting of the driver is restored afterwards.</source>
        <translation>Ограничивать мощность GPU во время обучения: через драйвер, если это разрешено, иначе короткими перерывами между шагами. Затем ваша собственная настройка драйвера восстанавливается.</translation>
    </message>
    <message>
        <source>Stay awake while training</source>
        <translation>Не засыпать во время обучения</translation>
    </message>
    <message>
        <source>Keep the computer from going to sleep by itself while it trains, but never on battery. The screen may turn off.</source>
        <translation>Не давать компьютеру самому переходить в сон, пока идёт обучение, но никогда при работе от батареи. Экран может выключаться.</translation>
    </message>
    <message>
        <source>Price of electricity</source>
        <translation>Цена электроэнергии</translation>
    </message>
    <message>
        <source>The price of a kilowatt-hour, by the hours of the week if it changes. Idlebrush shows what the measured energy of training costs.</source>
        <translation>Цена киловатт-часа, по часам недели, если она меняется. Idlebrush показывает, сколько стоит измеренная энергия обучения.</translation>
    </message>
    <message>
        <source>Highest price</source>
        <translation>Предел цены</translation>
    </message>
    <message>
        <source>Pause while a kilowatt-hour costs more than this.</source>
        <translation>Пауза, пока киловатт-час стоит больше этого.</translation>
    </message>
    <message>
        <source>Carbon intensity of electricity</source>
        <translation>Углеродоёмкость электроэнергии</translation>
    </message>
    <message>
        <source>The grams of CO2 that a kilowatt-hour causes where you live, by the hours of the week if they change. Idlebrush shows what the measured energy of training causes.</source>
        <translation>Сколько граммов CO2 даёт киловатт-час там, где вы живёте, по часам недели, если это меняется. Idlebrush показывает, сколько CO2 даёт измеренная энергия обучения.</translation>
    </message>
    <message>
        <source>Highest carbon intensity</source>
        <translation>Предел углеродоёмкости</translation>
    </message>
    <message>
        <source>Pause while a kilowatt-hour causes more CO2 than this.</source>
        <translation>Пауза, пока киловатт-час даёт больше CO2, чем указано.</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this share of all processor cores.</source>
        <translation>Пауза, пока другие программы занимают больше этой доли всех ядер процессора.</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this share of the training GPU.</source>
        <translation>Пауза, пока другие программы занимают больше этой доли GPU, на котором идёт обучение.</translation>
    </message>
    <message>
        <source>Training pauses while one of these applications runs. Enter the names of their programs.</source>
        <translation>Обучение приостанавливается, пока работает одно из этих приложений. Укажите имена их программ.</translation>
    </message>
    <message>
        <source>Train for at most this share of the time. Short breaks between steps reduce heat and noise.</source>
        <translation>Обучать не дольше этой доли времени. Короткие перерывы между шагами уменьшают нагрев и шум.</translation>
    </message>
    <message>
        <source>The number of processor threads for training. Automatic: all cores but one, or four if a GPU trains.</source>
        <translation>Число потоков процессора для обучения. Автоматически: все ядра, кроме одного, или четыре, если обучает GPU.</translation>
    </message>
    <message>
        <source>The numbers of the GPUs that may train, counted from 0 and separated by commas.</source>
        <translation>Номера GPU, на которых разрешено обучение, считая от 0, через запятую.</translation>
    </message>
    <message>
        <source>The most disk space that runs may use.</source>
        <translation>Сколько места на диске могут занять проекты.</translation>
    </message>
    <message>
        <source>Pause while less than this space is free on the disk.</source>
        <translation>Пауза, пока на диске свободно меньше.</translation>
    </message>
    <message>
        <source>The most memory (RAM) that training may use.</source>
        <translation>Сколько оперативной памяти (RAM) может занять обучение.</translation>
    </message>
    <message>
        <source>Release all memory when less than this is left for other programs.</source>
        <translation>Освободить всю память, когда другим программам её остаётся меньше.</translation>
    </message>
    <message>
        <source>The most GPU memory that training may use.</source>
        <translation>Сколько памяти GPU может занять обучение.</translation>
    </message>
    <message>
        <source>GPU memory kept free for other programs. If they need more, training stops at once and releases all of its GPU memory.</source>
        <translation>Память GPU, свободная для других программ. Если им нужно больше, обучение сразу прекращается и освобождает всю память GPU.</translation>
    </message>
    <message>
        <source>Training releases its memory after a pause of this length.</source>
        <translation>После паузы такой длины обучение освобождает свою память.</translation>
    </message>
    <message>
        <source>Release GPU memory at every pause. Resuming then takes longer.</source>
        <translation>Освобождать память GPU при каждой паузе. Продолжение тогда занимает больше времени.</translation>
    </message>
    <message>
        <source>The highest speed at which training may send data.</source>
        <translation>Наибольшая скорость, с которой обучение может отправлять данные.</translation>
    </message>
    <message>
        <source>The highest speed at which training may receive data.</source>
        <translation>Наибольшая скорость, с которой обучение может получать данные.</translation>
    </message>
    <message>
        <source>The most data that training may send and receive in total in a calendar month.</source>
        <translation>Сколько данных обучение может всего отправить и получить за календарный месяц.</translation>
    </message>
    <message>
        <source>Pause while the connection is metered, such as a phone&apos;s.</source>
        <translation>Пауза, пока подключение лимитное, например через телефон.</translation>
    </message>
    <message>
        <source>The port on which other peers reach this computer. Automatic: any free port.</source>
        <translation>Порт, по которому другие участники связываются с этим компьютером. Автоматически: любой свободный порт.</translation>
    </message>
    <message>
        <source>Control by other computers</source>
        <translation>Управление с других компьютеров</translation>
    </message>
    <message>
        <source>Let your other computers control this one, once they are paired by a code on the page My computers.</source>
        <translation>Разрешить другим вашим компьютерам управлять этим после сопряжения по коду на странице «Мои компьютеры».</translation>
    </message>
    <message>
        <source>Port for other computers</source>
        <translation>Порт для других компьютеров</translation>
    </message>
    <message>
        <source>The port on which your other computers reach this one.</source>
        <translation>Порт, по которому другие ваши компьютеры связываются с этим.</translation>
    </message>
    <message>
        <source>Let the router forward the port (UPnP or NAT-PMP)</source>
        <translation>Поручить маршрутизатору проброс порта (UPnP или NAT-PMP)</translation>
    </message>
    <message>
        <source>Ask the router to forward that port to this computer, so that other peers can connect to it.</source>
        <translation>Просить маршрутизатор перенаправлять этот порт на этот компьютер, чтобы к нему могли подключаться другие участники.</translation>
    </message>
    <message>
        <source>Start Idlebrush in the background when you log in.</source>
        <translation>Запускать Idlebrush в фоне, когда вы входите в систему.</translation>
    </message>
    <message>
        <source>Update by itself</source>
        <translation>Обновляться автоматически</translation>
    </message>
    <message>
        <source>Look for a newer version once a day, and install it while training is paused. It is never fetched on a metered connection.</source>
        <translation>Раз в день искать более новую версию и устанавливать её, пока обучение приостановлено. По лимитному подключению она никогда не загружается.</translation>
    </message>
    <message>
        <source>Electricity</source>
        <translation>Электроэнергия</translation>
    </message>
    <message>
        <source>Start and updates</source>
        <translation>Запуск и обновления</translation>
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
        <source>No matching preference</source>
        <translation>Подходящих настроек нет</translation>
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
        <source>No one</source>
        <translation>Никто</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU and its memory size), your training speed, the gradients you send, and the user name under which you were admitted.</source>
        <translation>Ваш IP-адрес, случайный идентификатор узла, вид оборудования (процессор или GPU по объёму памяти), скорость обучения, отправляемые градиенты и имя пользователя, под которым вас допустили.</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU and its memory size), your training speed, and the gradients you send. They do not see your name.</source>
        <translation>Ваш IP-адрес, случайный идентификатор узла, вид оборудования (процессор или GPU по объёму памяти), скорость обучения и отправляемые градиенты. Имени они не видят.</translation>
    </message>
    <message>
        <source>Your user name, the contribution of your computers, and the team you join. The leaderboard, your public page with its picture, and your team&apos;s page show your name unless you hide it. The coordinator receives a proof of identity made for it alone, never your token.</source>
        <translation>Ваше имя пользователя, вклад ваших компьютеров и команда, в которую вы вступили. Таблица лидеров, ваша публичная страница с картинкой и страница вашей команды показывают ваше имя, если вы его не скрыли. Координатор получает подтверждение личности, созданное только для него, и никогда — ваш токен.</translation>
    </message>
    <message>
        <source>The IP address of this computer and its contribution.</source>
        <translation>IP-адрес этого компьютера и его вклад.</translation>
    </message>
    <message>
        <source>Your sign-in, if you sign in. Your token is stored on this computer and sent only to the Hub. Idlebrush also downloads data and files of a run from the Hub if they are stored there.</source>
        <translation>Ваш вход, если вы входите. Ваш токен хранится на этом компьютере и передаётся только на Hub. Данные и файлы проекта, которые хранятся на Hub, Idlebrush загружает оттуда.</translation>
    </message>
    <message>
        <source>Your files, your input and the programs you use. To pause while you use the computer, Idlebrush asks the system for the time of the last input, but not for the input itself. This time and the prompts and pictures in your gallery never leave this computer.</source>
        <translation>Ваши файлы, ваш ввод и программы, которыми вы пользуетесь. Чтобы делать паузу, пока вы за компьютером, Idlebrush спрашивает у системы время последнего ввода, но не сам ввод. Это время, а также запросы и картинки вашей галереи никогда не покидают этот компьютер.</translation>
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
        <source>Start it to train and to see the current state.</source>
        <translation>Запустите его, чтобы начать обучение и видеть текущее состояние.</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush не отвечает</translation>
    </message>
    <message>
        <source>Wait a moment. If it still does not answer, restart it.</source>
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
        <source>Idlebrush can no longer detect whether you are using the computer</source>
        <translation>Idlebrush больше не может определить, пользуетесь ли вы компьютером</translation>
    </message>
    <message>
        <source>Start at login could not be changed</source>
        <translation>Не удалось изменить запуск при входе в систему</translation>
    </message>
    <message>
        <source>A desktop service does not answer</source>
        <translation>Служба рабочего стола не отвечает</translation>
    </message>
    <message>
        <source>A checkpoint of the run cannot be used</source>
        <translation>Контрольную точку проекта нельзя использовать</translation>
    </message>
    <message>
        <source>The trainer keeps failing</source>
        <translation>Обучение снова и снова завершается ошибкой</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is wrong</source>
        <translation>Часы этого компьютера показывают неверное время</translation>
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
        <source>The computer cannot be reached</source>
        <translation>Компьютер недоступен</translation>
    </message>
    <message>
        <source>Idlebrush could not start in the background</source>
        <translation>Idlebrush не смог запуститься в фоне</translation>
    </message>
    <message>
        <source>The background service belongs to another user</source>
        <translation>Фоновая служба принадлежит другому пользователю</translation>
    </message>
    <message>
        <source>The run&apos;s training data cannot be used</source>
        <translation>Обучающие данные проекта нельзя использовать</translation>
    </message>
    <message>
        <source>The display server does not respond correctly</source>
        <translation>Сервер дисплея отвечает неправильно</translation>
    </message>
    <message>
        <source>A download failed</source>
        <translation>Загрузка не удалась</translation>
    </message>
    <message>
        <source>This is not a valid duration</source>
        <translation>Это недопустимая продолжительность</translation>
    </message>
    <message>
        <source>The folder cannot be used</source>
        <translation>Папку нельзя использовать</translation>
    </message>
    <message>
        <source>The run did not admit you</source>
        <translation>Проект вас не допустил</translation>
    </message>
    <message>
        <source>The pictures could not be drawn</source>
        <translation>Картинки не удалось нарисовать</translation>
    </message>
    <message>
        <source>A training step failed and was discarded</source>
        <translation>Шаг обучения не удался и был отброшен</translation>
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
        <source>Your system&apos;s keyring does not work</source>
        <translation>Связка ключей системы не работает</translation>
    </message>
    <message>
        <source>Your system&apos;s keyring is locked</source>
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
        <source>The memory for training cannot be planned</source>
        <translation>Не удаётся рассчитать память, нужную для обучения</translation>
    </message>
    <message>
        <source>The files of the run do not fit its model</source>
        <translation>Файлы проекта не подходят к его модели</translation>
    </message>
    <message>
        <source>Your system has no keyring to store the sign-in</source>
        <translation>В системе нет связки ключей для данных входа</translation>
    </message>
    <message>
        <source>The NVIDIA driver does not answer</source>
        <translation>Драйвер NVIDIA не отвечает</translation>
    </message>
    <message>
        <source>No NVIDIA driver is installed</source>
        <translation>Драйвер NVIDIA не установлен</translation>
    </message>
    <message>
        <source>A part of Idlebrush is not installed</source>
        <translation>Часть Idlebrush не установлена</translation>
    </message>
    <message>
        <source>This preference is not valid</source>
        <translation>Эта настройка недопустима</translation>
    </message>
    <message>
        <source>Training needs more memory than you allow</source>
        <translation>Обучению нужно больше памяти, чем вы разрешили</translation>
    </message>
    <message>
        <source>The pictures could not be ranked</source>
        <translation>Картинки не удалось оценить</translation>
    </message>
    <message>
        <source>The other computer cannot be paired or controlled</source>
        <translation>Другой компьютер нельзя сопрячь или управлять им</translation>
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
        <source>What training needs could not be installed</source>
        <translation>Не удалось установить то, что нужно для обучения</translation>
    </message>
    <message>
        <source>The run&apos;s computers leave yours out</source>
        <translation>Компьютеры проекта исключили ваш</translation>
    </message>
    <message>
        <source>The sign-in was not completed</source>
        <translation>Вход не был завершён</translation>
    </message>
    <message>
        <source>Idlebrush&apos;s saved data could not be read or written</source>
        <translation>Сохранённые данные Idlebrush не удалось прочитать или записать</translation>
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
    <message>
        <source>The new version does not work on this computer</source>
        <translation>Новая версия не работает на этом компьютере</translation>
    </message>
    <message>
        <source>Idlebrush could not be updated</source>
        <translation>Не удалось обновить Idlebrush</translation>
    </message>
    <message>
        <source>This computer cannot be kept awake</source>
        <translation>Этому компьютеру нельзя помешать заснуть</translation>
    </message>
    <message>
        <source>This run needs a newer version of Idlebrush</source>
        <translation>Для этого проекта нужна более новая версия Idlebrush</translation>
    </message>
</context>
<context>
    <name>PromptForm</name>
    <message>
        <source>Prompt</source>
        <translation>Запрос</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Нарисовать</translation>
    </message>
    <message>
        <source>default</source>
        <translation>по умолчанию</translation>
    </message>
    <message>
        <source>random</source>
        <translation>случайное</translation>
    </message>
    <message>
        <source>What should the model draw? For example, “{prompt}”</source>
        <extracomment>{prompt} is an example of what the model can draw, in the language of the run.</extracomment>
        <translation>Что должна нарисовать модель? Например, «{prompt}»</translation>
    </message>
    <message>
        <source>What should the model draw?</source>
        <translation>Что должна нарисовать модель?</translation>
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
        <source>Pictures to keep</source>
        <translation>Оставить картинок</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Температура</translation>
    </message>
    <message>
        <source>Lower values give more predictable pictures, higher values more varied ones</source>
        <translation>Низкие значения дают более предсказуемые картинки, высокие — более разнообразные</translation>
    </message>
    <message>
        <source>Most likely codes</source>
        <translation>Самые вероятные коды</translation>
    </message>
    <message>
        <source>Each part of a picture is sampled from this many of the most likely codes (top-k)</source>
        <translation>Каждая часть картинки выбирается из стольких самых вероятных кодов (top-k)</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>Следование описанию</translation>
    </message>
    <message>
        <source>Higher values follow the prompt more strictly and vary less; 1 does not guide</source>
        <translation>Высокие значения строже следуют описанию и дают меньше разнообразия; 1 — без этого</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Зерно</translation>
    </message>
    <message>
        <source>The same seed and prompt give the same pictures</source>
        <translation>Одинаковые зерно и запрос дают одинаковые картинки</translation>
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
        <source>Being drawn between training steps</source>
        <translation>Рисуется между шагами обучения</translation>
    </message>
    <message>
        <source>Paused together with training</source>
        <translation>На паузе вместе с обучением</translation>
    </message>
    <message>
        <source>Being drawn while the computer is idle</source>
        <translation>Рисуется, пока компьютер бездействует</translation>
    </message>
    <message>
        <source>Being drawn slowly while you use the computer</source>
        <translation>Рисуется медленно, пока вы пользуетесь компьютером</translation>
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
        <source>Elapsed share of the time limit</source>
        <translation>Прошедшая доля отведённого времени</translation>
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
        <source>This computer continues in the background as your preferences allow. You can see what it did when you open Idlebrush again.</source>
        <translation>Этот компьютер продолжит работу в фоне по вашим настройкам. Когда вы снова откроете Idlebrush, вы увидите, что он сделал.</translation>
    </message>
    <message>
        <source>Stopping training</source>
        <translation>Обучение останавливается</translation>
    </message>
    <message>
        <source>This computer is leaving the swarm. This takes a few seconds.</source>
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
        <source>Your rank is recorded from time to time while this computer trains.</source>
        <translation>Ваше место время от времени записывается, пока идёт обучение.</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Место</translation>
    </message>
</context>
<context>
    <name>Reach</name>
    <message>
        <source>Peers with IPv6 connect directly to this computer over IPv6.</source>
        <translation>Участники с IPv6 подключаются к этому компьютеру напрямую по IPv6.</translation>
    </message>
    <message>
        <source>Other peers can connect to this computer.</source>
        <translation>Другие участники могут подключаться к этому компьютеру.</translation>
    </message>
    <message>
        <source>Other peers can connect to this computer at a port that its router forwards on request (UPnP or NAT-PMP).</source>
        <translation>Другие участники могут подключаться к этому компьютеру через порт, который его маршрутизатор перенаправляет по запросу (UPnP или NAT-PMP).</translation>
    </message>
    <message>
        <source>Other peers reach this computer through an opening in its router that both sides make (hole punching).</source>
        <translation>Другие участники связываются с этим компьютером через проход в его маршрутизаторе, который открывают обе стороны (hole punching).</translation>
    </message>
    <message>
        <source>Other peers reach this computer through a relay alone, so it adds up updates for others and gives newcomers the model&apos;s state only while no peer that is reached better does.</source>
        <translation>Другие участники связываются с этим компьютером только через ретранслятор, поэтому он складывает обновления для других и передаёт новичкам состояние модели, лишь пока этого не делает участник, доступный лучше.</translation>
    </message>
    <message>
        <source>Other peers cannot connect to this computer, so it connects to them: it still trains, but neither adds up updates for others nor gives newcomers the model&apos;s state.</source>
        <translation>Другие участники не могут подключиться к этому компьютеру, поэтому он сам подключается к ним: обучение всё равно идёт, но он не складывает обновления для других и не передаёт новичкам состояние модели.</translation>
    </message>
    <message>
        <source>No peer of the run could check whether others can connect to this computer: it still trains, but until one can, it neither adds up updates for others nor gives newcomers the model&apos;s state.</source>
        <translation>Ни один участник проекта не смог проверить, могут ли другие подключаться к этому компьютеру: обучение всё равно идёт, но до проверки он не складывает обновления для других и не передаёт новичкам состояние модели.</translation>
    </message>
    <message>
        <source>This is checked again every five minutes; if it stays so, tell the run&apos;s organiser.</source>
        <translation>Проверка повторяется каждые пять минут; если ничего не изменится, сообщите организатору проекта.</translation>
    </message>
    <message>
        <source>Nothing has to be changed.</source>
        <translation>Ничего менять не нужно.</translation>
    </message>
    <message>
        <source>To help the swarm more, turn on the preference “{preference}”, or forward TCP port {port} to this computer in the router.</source>
        <extracomment>{preference} is the title of a preference.</extracomment>
        <translation>Чтобы больше помогать рою, включите настройку «{preference}» или перенаправьте на маршрутизаторе TCP-порт {port} на этот компьютер.</translation>
    </message>
    <message>
        <source>To help the swarm more, forward TCP port {port} to this computer in the router, or allow UPnP or NAT-PMP there.</source>
        <translation>Чтобы больше помогать рою, перенаправьте на маршрутизаторе TCP-порт {port} на этот компьютер или разрешите там UPnP или NAT-PMP.</translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message>
        <source>it is outside your training hours until {moment}</source>
        <translation>вне ваших часов обучения (возобновление: {moment})</translation>
    </message>
    <message>
        <source>{programs} fills the screen</source>
        <extracomment>{programs} is the name of a program, or several with commas between them.</extracomment>
        <translation>{programs} занимает весь экран</translation>
    </message>
    <message>
        <source>the exclusive application {programs} is running</source>
        <translation>работает приоритетное приложение {programs}</translation>
    </message>
    <message>
        <source>{programs} keeps the screen on</source>
        <translation>{programs} не даёт экрану гаснуть</translation>
    </message>
    <message>
        <source>this run needs {programs} or newer; this is {version}. Update Idlebrush to continue</source>
        <extracomment>{programs} is such as &quot;Idlebrush 0.3&quot;, {version} is such as &quot;0.1.0&quot;.</extracomment>
        <translation>для этого проекта нужна версия {programs} или новее; установлена {version}. Обновите Idlebrush, чтобы продолжить</translation>
    </message>
    <message>
        <source>electricity costs more than your limit until {moment}</source>
        <translation>электроэнергия дороже вашего предела (возобновление: {moment})</translation>
    </message>
    <message>
        <source>electricity causes more CO2 than your limit until {moment}</source>
        <translation>электроэнергия даёт больше CO2, чем ваш предел (возобновление: {moment})</translation>
    </message>
    <message>
        <source>you have not agreed to train yet</source>
        <extracomment>All of these follow &quot;Paused: &quot; or &quot;Slowed to 50%: &quot;, and also stand alone, capitalised.</extracomment>
        <translation>вы ещё не дали согласия на обучение</translation>
    </message>
    <message>
        <source>you chose “Never”</source>
        <translation>вы выбрали «Никогда»</translation>
    </message>
    <message>
        <source>you paused training</source>
        <translation>вы приостановили обучение</translation>
    </message>
    <message>
        <source>you snoozed training</source>
        <translation>вы временно приостановили обучение</translation>
    </message>
    <message>
        <source>a speed test of another run is in progress</source>
        <translation>идёт проверка скорости для другого проекта</translation>
    </message>
    <message>
        <source>this run needs a newer version of Idlebrush</source>
        <translation>для этого проекта нужна более новая версия Idlebrush</translation>
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
        <source>another program needs the GPU memory</source>
        <translation>другой программе нужна память GPU</translation>
    </message>
    <message>
        <source>memory is low</source>
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
        <source>the computer runs on battery</source>
        <translation>компьютер работает от батареи</translation>
    </message>
    <message>
        <source>the battery is low</source>
        <translation>заряд батареи низкий</translation>
    </message>
    <message>
        <source>it is outside your training hours</source>
        <translation>сейчас вне ваших часов обучения</translation>
    </message>
    <message>
        <source>electricity costs more than your limit</source>
        <translation>электроэнергия дороже вашего предела</translation>
    </message>
    <message>
        <source>electricity causes more CO2 than your limit</source>
        <translation>электроэнергия даёт больше CO2, чем ваш предел</translation>
    </message>
    <message>
        <source>the network connection is metered</source>
        <translation>подключение к сети лимитное</translation>
    </message>
    <message>
        <source>this month&apos;s traffic quota is used up</source>
        <translation>лимит трафика на этот месяц исчерпан</translation>
    </message>
    <message>
        <source>the disk is nearly full</source>
        <translation>диск почти заполнен</translation>
    </message>
    <message>
        <source>runs have reached your disk space limit</source>
        <translation>проекты достигли вашего ограничения места на диске</translation>
    </message>
    <message>
        <source>the processor is held at its target temperature</source>
        <translation>процессор удерживается на целевой температуре</translation>
    </message>
    <message>
        <source>the GPU is held at its target temperature</source>
        <translation>GPU удерживается на целевой температуре</translation>
    </message>
    <message>
        <source>the GPU&apos;s power is limited</source>
        <translation>мощность GPU ограничена</translation>
    </message>
    <message>
        <source>you limited training to a share of the time</source>
        <translation>вы ограничили обучение частью времени</translation>
    </message>
</context>
<context>
    <name>RecordsCard</name>
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
        <source>Share</source>
        <translation>Поделиться</translation>
    </message>
    <message>
        <source>The export has one row per day. The run&apos;s coordinator also signs receipts for your contribution.</source>
        <translation>В экспорте по одной строке на день. Координатор проекта также подписывает квитанции за ваш вклад.</translation>
    </message>
    <message>
        <source>The export has one row per day, for a spreadsheet or a program.</source>
        <translation>В экспорте по одной строке на день, для электронной таблицы или программы.</translation>
    </message>
    <message>
        <source>Open my public page</source>
        <translation>Открыть мою публичную страницу</translation>
    </message>
    <message>
        <source>Open a picture to share</source>
        <translation>Открыть картинку, чтобы поделиться</translation>
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
        <source>Choose another folder, or free some disk space. The system reports: {why}</source>
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
        <source>Your signed receipts are saved on this computer</source>
        <translation>Ваши подписанные квитанции сохранены на этом компьютере</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Открыть папку</translation>
    </message>
</context>
<context>
    <name>RunPictures</name>
    <message>
        <source>Save as a moving picture…</source>
        <translation>Сохранить как анимацию…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Попробовать снова</translation>
    </message>
    <message>
        <source>Time-lapse to epoch {epoch}</source>
        <translation>Ускоренный показ до эпохи {epoch}</translation>
    </message>
    <message>
        <source>The moving picture is being made</source>
        <translation>Анимация создаётся</translation>
    </message>
    <message>
        <source>The moving picture is saved</source>
        <translation>Анимация сохранена</translation>
    </message>
    <message>
        <source>The moving picture could not be saved</source>
        <translation>Анимацию не удалось сохранить</translation>
    </message>
    <message>
        <source>Nothing here yet</source>
        <translation>Здесь пока ничего нет</translation>
    </message>
    <message>
        <source>Every few epochs, the model makes something of the run&apos;s prompts. It appears here.</source>
        <translation>Раз в несколько эпох модель создаёт что-нибудь по запросам проекта. Результат появляется здесь.</translation>
    </message>
    <message>
        <source>Choose a run to watch its model improve here.</source>
        <translation>Выберите проект, чтобы видеть здесь, как улучшается его модель.</translation>
    </message>
    <message>
        <source>What the model writes</source>
        <translation>Что пишет модель</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Проекта пока нет</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Открыть папку</translation>
    </message>
    <message>
        <source>What the run has made cannot be read</source>
        <translation>Нельзя прочитать то, что создал проект</translation>
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
        <source>A small run for this computer only</source>
        <translation>Небольшой проект только для этого компьютера</translation>
    </message>
    <message>
        <source>From a list</source>
        <translation>Из списка</translation>
    </message>
    <message>
        <source>Runs that others recommend</source>
        <translation>Проекты, которые советуют другие</translation>
    </message>
    <message>
        <source>From a link</source>
        <translation>По ссылке</translation>
    </message>
    <message>
        <source>From a run&apos;s website or a friend</source>
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
        <source>Inspecting the run</source>
        <translation>Изучение проекта</translation>
    </message>
    <message>
        <source>Inspecting the run and this computer…</source>
        <translation>Проверяются проект и этот компьютер…</translation>
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
    <name>RunsCard</name>
    <message>
        <source>By run</source>
        <translation>По проектам</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Примеры</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Эпохи</translation>
    </message>
    <message>
        <source>Computing time</source>
        <translation>Время вычислений</translation>
    </message>
</context>
<context>
    <name>SaveDialog</name>
    <message>
        <source>Pictures (*{suffix})</source>
        <translation>Картинки (*{suffix})</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>Сохранить картинку</translation>
    </message>
    <message>
        <source>Save as a moving picture</source>
        <translation>Сохранить как анимацию</translation>
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
    <name>SettingRow</name>
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
    <name>Setup</name>
    <message>
        <source>Cancel the installation?</source>
        <translation>Отменить установку?</translation>
    </message>
    <message>
        <source>What was downloaded is removed. This computer does not train until it is installed.</source>
        <translation>То, что загружено, удаляется. Этот компьютер не обучает, пока всё не установлено.</translation>
    </message>
    <message>
        <source>Cancel it</source>
        <translation>Отменить установку</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Продолжить</translation>
    </message>
    <message>
        <source>Restart the computer now?</source>
        <translation>Перезагрузить компьютер сейчас?</translation>
    </message>
    <message>
        <source>Save your work first. Idlebrush continues by itself after the restart.</source>
        <translation>Сначала сохраните свою работу. После перезагрузки Idlebrush продолжит сам.</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>Перезагрузить сейчас</translation>
    </message>
    <message>
        <source>Restart into the firmware’s settings now?</source>
        <translation>Перезагрузить сейчас в настройки встроенного ПО?</translation>
    </message>
    <message>
        <source>Windows asks an administrator to agree, and restarts at once: save your work first. Turn on Intel VT-x or AMD SVM there, often below “Advanced” or “CPU”, and save. Idlebrush continues by itself after the restart.</source>
        <translation>Windows запросит согласие администратора и сразу перезагрузится: сначала сохраните свою работу. Включите там Intel VT-x или AMD SVM, часто в разделе «Advanced» или «CPU», и сохраните. После перезагрузки Idlebrush продолжит сам.</translation>
    </message>
    <message>
        <source>Update WSL now?</source>
        <translation>Обновить WSL сейчас?</translation>
    </message>
    <message>
        <source>All Linux systems in WSL are ended for that, also those of other programs: save your work in them first. Windows may ask an administrator to agree. Training continues afterwards.</source>
        <translation>Для этого завершаются все системы Linux в WSL, в том числе других программ: сначала сохраните в них свою работу. Windows может запросить согласие администратора. После этого обучение продолжится.</translation>
    </message>
    <message>
        <source>Update now</source>
        <translation>Обновить сейчас</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Не сейчас</translation>
    </message>
    <message>
        <source>Training needs more packages</source>
        <translation>Для обучения нужны дополнительные пакеты</translation>
    </message>
    <message>
        <source>Finding the packages for this computer…</source>
        <translation>Поиск пакетов для этого компьютера…</translation>
    </message>
    <message>
        <source>The download waits</source>
        <translation>Загрузка ожидает</translation>
    </message>
    <message>
        <source>You have paused the download</source>
        <translation>Вы приостановили загрузку</translation>
    </message>
    <message>
        <source>This Windows is too old for training</source>
        <translation>Эта версия Windows слишком старая для обучения</translation>
    </message>
    <message>
        <source>This computer’s virtualisation is turned off</source>
        <translation>Виртуализация на этом компьютере отключена</translation>
    </message>
    <message>
        <source>Training needs a part of Windows that is turned off</source>
        <translation>Для обучения нужна часть Windows, которая отключена</translation>
    </message>
    <message>
        <source>The computer has to restart</source>
        <translation>Нужно перезагрузить компьютер</translation>
    </message>
    <message>
        <source>Training needs more free disk space</source>
        <translation>Для обучения нужно больше свободного места на диске</translation>
    </message>
    <message>
        <source>Virtualisation seems to be turned off</source>
        <translation>Виртуализация, по-видимому, отключена</translation>
    </message>
    <message>
        <source>Training needs it. If turning on WSL does not help, turn on Intel VT-x or AMD SVM in the settings of the computer’s firmware.</source>
        <translation>Она нужна для обучения. Если включить WSL недостаточно, включите Intel VT-x или AMD SVM в настройках встроенного ПО компьютера.</translation>
    </message>
    <message>
        <source>The WSL that came with Windows is in use</source>
        <translation>Используется WSL из состава Windows</translation>
    </message>
    <message>
        <source>It gets no corrections any more. Idlebrush can have it updated.</source>
        <translation>Она больше не получает исправлений. Idlebrush может запустить её обновление.</translation>
    </message>
    <message>
        <source>NVIDIA’s driver is too old to train on the GPU</source>
        <translation>Драйвер NVIDIA слишком старый для обучения на GPU</translation>
    </message>
    <message>
        <source>This computer would train on its processor. Install NVIDIA’s current driver for Windows.</source>
        <translation>Этот компьютер обучал бы на процессоре. Установите текущий драйвер NVIDIA для Windows.</translation>
    </message>
    <message>
        <source>Another person has to agree</source>
        <translation>Нужно согласие другого человека</translation>
    </message>
    <message>
        <source>You do not administer this computer. Have someone who does enter a password when Windows asks for one.</source>
        <translation>Вы не администратор этого компьютера. Попросите того, кто им управляет, ввести пароль, когда Windows его запросит.</translation>
    </message>
    <message>
        <source>The download was interrupted</source>
        <translation>Загрузка была прервана</translation>
    </message>
    <message>
        <source>The packages for training could not be installed</source>
        <translation>Не удалось установить пакеты для обучения</translation>
    </message>
    <message>
        <source>This computer is ready to train</source>
        <translation>Этот компьютер готов к обучению</translation>
    </message>
    <message>
        <source>Checking this computer</source>
        <translation>Проверка этого компьютера</translation>
    </message>
    <message>
        <source>Windows asks for an administrator’s consent</source>
        <translation>Windows запрашивает согласие администратора</translation>
    </message>
    <message>
        <source>Downloading Linux for training</source>
        <translation>Загрузка Linux для обучения</translation>
    </message>
    <message>
        <source>Setting up Linux for training</source>
        <translation>Настройка Linux для обучения</translation>
    </message>
    <message>
        <source>Updating WSL</source>
        <translation>Обновление WSL</translation>
    </message>
    <message>
        <source>The download waits: {reason}</source>
        <extracomment>{reason} is such as &quot;the network connection is metered&quot;.</extracomment>
        <translation>Загрузка ожидает: {reason}</translation>
    </message>
    <message>
        <source>Downloading the packages for training</source>
        <translation>Загрузка пакетов для обучения</translation>
    </message>
    <message>
        <source>Installing the packages for training</source>
        <translation>Установка пакетов для обучения</translation>
    </message>
    <message>
        <source>Testing the packages on this computer</source>
        <translation>Проверка пакетов на этом компьютере</translation>
    </message>
    <message>
        <source>Completing the installation</source>
        <translation>Завершение установки</translation>
    </message>
    <message>
        <source>Preparing the download</source>
        <translation>Подготовка загрузки</translation>
    </message>
    <message>
        <source>PyTorch and the packages that it needs are downloaded once. Idlebrush checks each file, tests the result, and keeps it in its own folder.</source>
        <translation>PyTorch и нужные ему пакеты загружаются один раз. Idlebrush проверяет каждый файл, испытывает результат и хранит его в своей папке.</translation>
    </message>
    <message>
        <source>What was downloaded is kept.</source>
        <translation>То, что загружено, сохраняется.</translation>
    </message>
    <message>
        <source>The next attempt begins at {moment}. What was downloaded is kept.</source>
        <extracomment>{moment} is a time such as &quot;14:30&quot;.</extracomment>
        <translation>Следующая попытка начнётся в {moment}. То, что загружено, сохраняется.</translation>
    </message>
    <message>
        <source>It continues in the background, also when this window is closed.</source>
        <translation>Это продолжается в фоне, даже если закрыть это окно.</translation>
    </message>
    <message>
        <source>All packages for training are installed and tested.</source>
        <translation>Все пакеты для обучения установлены и проверены.</translation>
    </message>
    <message>
        <source>{size}, once</source>
        <translation>{size}, один раз</translation>
    </message>
    <message>
        <source>Up to {size} while it is installed</source>
        <translation>До {size} во время установки</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Загрузка</translation>
    </message>
    <message>
        <source>Disk space</source>
        <translation>Место на диске</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Этот компьютер</translation>
    </message>
    <message>
        <source>Training runs in a small Linux of its own, within WSL, a part of Windows. It is removed with Idlebrush.</source>
        <translation>Обучение идёт в небольшом отдельном Linux внутри WSL, части Windows. Он удаляется вместе с Idlebrush.</translation>
    </message>
    <message>
        <source>Linux</source>
        <translation>Linux</translation>
    </message>
    <message>
        <source>Not included</source>
        <translation>Не входит</translation>
    </message>
    <message>
        <source>This computer trains on its processor, not on its GPU</source>
        <translation>Этот компьютер обучает на процессоре, а не на GPU</translation>
    </message>
    <message>
        <source>Step {done} of {total}</source>
        <translation>Шаг {done} из {total}</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <extracomment>Both are sizes, such as &quot;1.2 GB of 2.9 GB&quot;.</extracomment>
        <translation>{done} из {total}</translation>
    </message>
    <message>
        <source>{done} of {total}, about {duration} left</source>
        <extracomment>{duration} is such as &quot;3 min&quot;.</extracomment>
        <translation>{done} из {total}, осталось около {duration}</translation>
    </message>
    <message>
        <source>Find the packages</source>
        <translation>Найти пакеты</translation>
    </message>
    <message>
        <source>Download and install</source>
        <translation>Загрузить и установить</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Попробовать снова</translation>
    </message>
    <message>
        <source>Pause the download</source>
        <translation>Приостановить загрузку</translation>
    </message>
    <message>
        <source>Continue the download</source>
        <translation>Продолжить загрузку</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Отмена</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Проверить снова</translation>
    </message>
    <message>
        <source>Turn on WSL</source>
        <translation>Включить WSL</translation>
    </message>
    <message>
        <source>Update WSL</source>
        <translation>Обновить WSL</translation>
    </message>
    <message>
        <source>Restart the computer</source>
        <translation>Перезагрузить компьютер</translation>
    </message>
    <message>
        <source>Restart into the firmware’s settings</source>
        <translation>Перезагрузить в настройки встроенного ПО</translation>
    </message>
    <message>
        <source>How to turn it on</source>
        <translation>Как её включить</translation>
    </message>
    <message>
        <source>Open Windows Update</source>
        <translation>Открыть Центр обновления Windows</translation>
    </message>
    <message>
        <source>Open the storage settings</source>
        <translation>Открыть параметры памяти</translation>
    </message>
    <message>
        <source>Open NVIDIA’s driver page</source>
        <translation>Открыть страницу драйверов NVIDIA</translation>
    </message>
    <message>
        <source>The page could not be opened</source>
        <translation>Не удалось открыть страницу</translation>
    </message>
    <message>
        <source>WSL was not updated</source>
        <translation>WSL не обновлена</translation>
    </message>
    <message>
        <source>The computer does not restart</source>
        <translation>Компьютер не перезагружается</translation>
    </message>
</context>
<context>
    <name>SetupPanel</name>
    <message>
        <source>Progress of the installation</source>
        <translation>Ход установки</translation>
    </message>
</context>
<context>
    <name>SetupScreen</name>
    <message>
        <source>One more download</source>
        <translation>Ещё одна загрузка</translation>
    </message>
    <message>
        <source>Training needs large packages that fit this computer. They are not part of the app.</source>
        <translation>Для обучения нужны большие пакеты, подходящие этому компьютеру. Они не входят в приложение.</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Не сейчас</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>Установка</translation>
    </message>
    <message>
        <source>Open Idlebrush</source>
        <translation>Открыть Idlebrush</translation>
    </message>
    <message>
        <source>The installation continues in the background.</source>
        <translation>Установка продолжается в фоне.</translation>
    </message>
</context>
<context>
    <name>SignInScreen</name>
    <message>
        <source>Sign in (optional)</source>
        <translation>Вход (необязательно)</translation>
    </message>
    <message>
        <source>Some runs admit only people with certain accounts on the Hugging Face Hub. Open runs and the run that comes with Idlebrush need no account. You can skip this step and sign in later.</source>
        <translation>Некоторые проекты принимают только людей с определёнными учётными записями на Hugging Face Hub. Открытым проектам и тому, что поставляется с Idlebrush, учётная запись не нужна. Этот шаг можно пропустить и войти позже.</translation>
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
        <source>You get a short code and enter it in a browser, here or on your phone. Idlebrush never sees your password. It requests only your user name.</source>
        <translation>Вы получаете короткий код и вводите его в браузере, здесь или на телефоне. Idlebrush никогда не видит вашего пароля. Он запрашивает только имя пользователя.</translation>
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
        <source>Only until Idlebrush quits</source>
        <translation>Только пока работает Idlebrush</translation>
    </message>
    <message>
        <source>In a file that only I can read</source>
        <translation>В файле, который могу читать только я</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot store your sign-in</source>
        <translation>Связка ключей этого компьютера не может хранить данные входа</translation>
    </message>
    <message>
        <source>Unlock the keyring and try again, or store the sign-in elsewhere.</source>
        <translation>Разблокируйте связку ключей и попробуйте снова или сохраните данные входа в другом месте.</translation>
    </message>
    <message>
        <source>Requesting a code…</source>
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
        <source>Wait a moment. If nothing changes, end process {pid} and start Idlebrush again.</source>
        <translation>Подождите немного. Если ничего не изменится, завершите процесс {pid} и запустите Idlebrush снова.</translation>
    </message>
    <message>
        <source>The file {file} cannot be written.</source>
        <translation>Файл {file} нельзя записать.</translation>
    </message>
    <message>
        <source>Free some disk space, or set IDLEBRUSH_HOME to a folder that you can write to.</source>
        <translation>Освободите место на диске или задайте в IDLEBRUSH_HOME папку, доступную вам для записи.</translation>
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
    <name>TeamModel</name>
    <message>
        <source>Rank</source>
        <translation>Место</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>Команда</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Примеры</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Последние 7 дней</translation>
    </message>
    <message>
        <source>Members</source>
        <translation>Участники</translation>
    </message>
</context>
<context>
    <name>TeamsPanel</name>
    <message>
        <source>Name of a team</source>
        <translation>Название команды</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>Вступить</translation>
    </message>
    <message>
        <source>Found a new team</source>
        <translation>Создать новую команду</translation>
    </message>
    <message>
        <source>Leave the team</source>
        <translation>Выйти из команды</translation>
    </message>
    <message>
        <source>Leaderboard of teams</source>
        <translation>Таблица лидеров команд</translation>
    </message>
    <message>
        <source>Leave {team} and close it?</source>
        <translation>Выйти из команды {team} и закрыть её?</translation>
    </message>
    <message>
        <source>You are the last member: the team is closed and its name cannot be used again.</source>
        <translation>Вы последний участник: команда будет закрыта, и её название нельзя будет использовать снова.</translation>
    </message>
    <message>
        <source>Leave and close</source>
        <translation>Выйти и закрыть</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Остаться</translation>
    </message>
</context>
<context>
    <name>TextEditor</name>
    <message>
        <source>{preference}: {word}</source>
        <translation>{preference}: {word}</translation>
    </message>
</context>
<context>
    <name>TimesScreen</name>
    <message>
        <source>When may this computer train?</source>
        <translation>Когда этому компьютеру можно обучать модель?</translation>
    </message>
    <message>
        <source>These defaults suit most computers. You can change them and many other preferences at any time.</source>
        <translation>Эти значения подходят большинству компьютеров. Их и многие другие настройки можно изменить в любое время.</translation>
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
        <source>“Always” also trains while you use the computer.</source>
        <translation>«Всегда» — обучение идёт, даже пока вы пользуетесь компьютером.</translation>
    </message>
    <message>
        <source>You are away after</source>
        <translation>Считать, что вас нет, через</translation>
    </message>
    <message>
        <source>This is the time without keyboard or mouse input. Training stops at once when you come back.</source>
        <translation>Это время без ввода с клавиатуры и мыши. Когда вы возвращаетесь, обучение сразу останавливается.</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>Часы обучения</translation>
    </message>
    <message>
        <source>Hours are in local time.</source>
        <translation>Часы указаны по местному времени.</translation>
    </message>
    <message>
        <source>Heat and noise</source>
        <translation>Нагрев и шум</translation>
    </message>
    <message>
        <source>Breaks between steps keep the computer cooler and quieter.</source>
        <translation>Перерывы между шагами уменьшают нагрев и шум.</translation>
    </message>
    <message>
        <source>Train on battery</source>
        <translation>Обучение при работе от батареи</translation>
    </message>
    <message>
        <source>If this is off, training waits until the computer is plugged in.</source>
        <translation>Если выключено, обучение ждёт подключения компьютера к сети.</translation>
    </message>
    <message>
        <source>Start when I log in</source>
        <translation>Запускать при входе в систему</translation>
    </message>
    <message>
        <source>Idlebrush starts in the background, without a window.</source>
        <translation>Idlebrush запускается в фоне, без окна.</translation>
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
        <source>Check and sign in</source>
        <translation>Проверить и войти</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Проверка…</translation>
    </message>
    <message>
        <source>Create a token</source>
        <translation>Создать токен</translation>
    </message>
    <message>
        <source>A read-only token is enough. Idlebrush sends it only to the Hugging Face Hub.</source>
        <translation>Достаточно токена только для чтения. Idlebrush отправляет его только на Hugging Face Hub.</translation>
    </message>
    <message>
        <source>Hide the token</source>
        <translation>Скрыть токен</translation>
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
        <source>According to my &amp;preferences</source>
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
        <source>Idlebrush is not running in the background</source>
        <translation>Idlebrush не работает в фоне</translation>
    </message>
    <message>
        <source>This computer does not train until you start it.</source>
        <translation>Обучение не идёт, пока вы его не запустите.</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush не отвечает</translation>
    </message>
    <message>
        <source>The computer may be very busy. This window shows the last known state.</source>
        <translation>Возможно, компьютер сильно загружен. Это окно показывает последнее известное состояние.</translation>
    </message>
    <message>
        <source>Another version of Idlebrush is running in the background</source>
        <translation>В фоне работает другая версия Idlebrush</translation>
    </message>
    <message>
        <source>Restart it so that both parts have the same version. Training continues afterwards.</source>
        <translation>Перезапустите его, чтобы обе части были одной версии. Затем обучение продолжится.</translation>
    </message>
    <message>
        <source>Idlebrush is running as another user</source>
        <translation>Idlebrush работает от имени другого пользователя</translation>
    </message>
    <message>
        <source>Idlebrush could not be started</source>
        <translation>Idlebrush не удалось запустить</translation>
    </message>
    <message>
        <source>This computer cannot train yet</source>
        <translation>Этот компьютер пока не может обучать</translation>
    </message>
    <message>
        <source>The packages for training are not installed.</source>
        <translation>Пакеты для обучения не установлены.</translation>
    </message>
    <message>
        <source>The packages for training could not be installed</source>
        <translation>Не удалось установить пакеты для обучения</translation>
    </message>
    <message>
        <source>This computer does not train until they are installed.</source>
        <translation>Этот компьютер не обучает, пока они не установлены.</translation>
    </message>
    <message>
        <source>The download of the packages for training is paused</source>
        <translation>Загрузка пакетов для обучения приостановлена</translation>
    </message>
    <message>
        <source>This computer does not train until it is complete.</source>
        <translation>Этот компьютер не обучает, пока она не завершена.</translation>
    </message>
    <message>
        <source>The packages for training are being installed</source>
        <translation>Устанавливаются пакеты для обучения</translation>
    </message>
    <message>
        <source>The page “Now” shows the progress.</source>
        <translation>Страница «Сейчас» показывает ход установки.</translation>
    </message>
    <message>
        <source>Start it</source>
        <translation>Запустить</translation>
    </message>
    <message>
        <source>Restart it</source>
        <translation>Перезапустить</translation>
    </message>
    <message>
        <source>Install them</source>
        <translation>Установить</translation>
    </message>
    <message>
        <source>Continue the download</source>
        <translation>Продолжить загрузку</translation>
    </message>
</context>
<context>
    <name>UpdateCard</name>
    <message>
        <source>Updates</source>
        <translation>Обновления</translation>
    </message>
    <message>
        <source>&amp;Install now</source>
        <translation>&amp;Установить сейчас</translation>
    </message>
    <message>
        <source>&amp;Not now</source>
        <translation>&amp;Не сейчас</translation>
    </message>
    <message>
        <source>&amp;What&apos;s new</source>
        <translation>&amp;Что нового</translation>
    </message>
    <message>
        <source>&amp;Look for updates</source>
        <translation>&amp;Искать обновления</translation>
    </message>
</context>
<context>
    <name>Updates</name>
    <message>
        <source>Looking for a newer version</source>
        <translation>Поиск более новой версии</translation>
    </message>
    <message>
        <source>Idlebrush {version} is available</source>
        <translation>Доступна версия Idlebrush {version}</translation>
    </message>
    <message>
        <source>Downloading Idlebrush {version}</source>
        <translation>Загружается Idlebrush {version}</translation>
    </message>
    <message>
        <source>Installing Idlebrush {version}</source>
        <translation>Устанавливается Idlebrush {version}</translation>
    </message>
    <message>
        <source>Idlebrush {version} did not work on this computer</source>
        <translation>Idlebrush {version} не заработал на этом компьютере</translation>
    </message>
    <message>
        <source>Idlebrush {version} is installed</source>
        <translation>Установлена версия Idlebrush {version}</translation>
    </message>
    <message>
        <source>The version before it is kept until this one has trained an epoch.</source>
        <translation>Прежняя версия сохраняется, пока эта не обучит одну эпоху.</translation>
    </message>
    <message>
        <source>The version before it is in use again. This one is not tried again.</source>
        <translation>Снова используется прежняя версия. Эта больше не пробуется.</translation>
    </message>
    <message>
        <source>Training continues in a moment.</source>
        <translation>Обучение сейчас продолжится.</translation>
    </message>
    <message>
        <source>Updates are turned off in the preferences.</source>
        <translation>Обновления отключены в настройках.</translation>
    </message>
    <message>
        <source>You put it off until tomorrow.</source>
        <translation>Вы отложили его до завтра.</translation>
    </message>
    <message>
        <source>This version is too old to update itself. Download the new one from the website.</source>
        <translation>Эта версия слишком старая, чтобы обновиться сама. Загрузите новую с сайта.</translation>
    </message>
    <message>
        <source>Your system&apos;s package manager installs it.</source>
        <translation>Её установит менеджер пакетов вашей системы.</translation>
    </message>
    <message>
        <source>Download the new package from the page /join of a run&apos;s website, and install it over this one.</source>
        <translation>Загрузите новый пакет со страницы /join сайта проекта и установите его поверх этого.</translation>
    </message>
    <message>
        <source>It is downloaded once the connection is no longer metered.</source>
        <translation>Она загрузится, когда подключение перестанет быть лимитным.</translation>
    </message>
    <message>
        <source>It is larger than what is left of this month&apos;s traffic quota.</source>
        <translation>Она больше, чем осталось от лимита трафика в этом месяце.</translation>
    </message>
    <message>
        <source>It waits until the computer runs on mains power.</source>
        <translation>Она ждёт, пока компьютер не будет подключён к сети.</translation>
    </message>
    <message>
        <source>It is installed at the next pause of training.</source>
        <translation>Она установится при следующей паузе обучения.</translation>
    </message>
    <message>
        <source>It is installed once your pictures, previews and sign-ins are done.</source>
        <translation>Она установится, когда завершатся ваши картинки, просмотры и входы.</translation>
    </message>
</context>
<context>
    <name>WeeklyEditor</name>
    <message>
        <source>The first number is for all hours. Others follow with their times, with semicolons between them.</source>
        <translation>Первое число действует для всех часов. Остальные указываются после него со своим временем, через точку с запятой.</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Welcome</source>
        <translation>Добро пожаловать</translation>
    </message>
    <message>
        <source>Get started</source>
        <translation>Начнём</translation>
    </message>
    <message>
        <source>Your computer can help a machine learn to paint</source>
        <translation>Ваш компьютер может помочь машине научиться рисовать</translation>
    </message>
    <message>
        <source>While you are away, Idlebrush trains one model together with other people&apos;s computers. The model turns words into pictures, and you can watch it improve.</source>
        <translation>Пока вас нет, Idlebrush обучает одну модель вместе с компьютерами других людей. Модель превращает слова в картинки, и вы видите, как она становится лучше.</translation>
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
        <source>Pause at once when you use the computer.</source>
        <translation>Сразу делать паузу, когда вы пользуетесь компьютером.</translation>
    </message>
    <message>
        <source>Pause on battery, during games and videos, and when the computer is hot.</source>
        <translation>Делать паузу при работе от батареи, во время игр и видео и когда компьютер нагревается.</translation>
    </message>
    <message>
        <source>Keep to the limits that you set for heat, noise, memory and bandwidth.</source>
        <translation>Соблюдать ваши ограничения на нагрев, шум, память и скорость сети.</translation>
    </message>
    <message>
        <source>Train before you agree in step {step}.</source>
        <extracomment>{step} is the number of the step in which the user agrees.</extracomment>
        <translation>Начинать обучение до вашего согласия на шаге {step}.</translation>
    </message>
    <message>
        <source>Read or send your files. Others see this computer&apos;s Internet address and its speed.</source>
        <translation>Читать или отправлять ваши файлы. Другие видят интернет-адрес этого компьютера и его скорость.</translation>
    </message>
    <message>
        <source>Run programs that others send. The computers exchange only numbers.</source>
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
        <source>My computers</source>
        <translation>Мои компьютеры</translation>
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
