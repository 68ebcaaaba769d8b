<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>AboutPage</name>
    <message>
        <source>Another version is running in the background</source>
        <translation>Im Hintergrund läuft eine andere Version</translation>
    </message>
    <message>
        <source>The app is version {app}, its background part version {daemon}. Restart that part so that both match.</source>
        <translation>Die App hat die Version {app}, der Hintergrunddienst die Version {daemon}. Starte ihn neu, damit beide übereinstimmen.</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neu starten</translation>
    </message>
</context>
<context>
    <name>Activity</name>
    <message>
        <source>You have not joined a run yet</source>
        <translation>Du bist noch keinem Projekt beigetreten</translation>
    </message>
    <message>
        <source>{number} samples/s</source>
        <translation>{number} Beispiele/s</translation>
    </message>
    <message>
        <source>{number} samples/min</source>
        <translation>{number} Beispiele/min</translation>
    </message>
    <message>
        <source>{number} samples/h</source>
        <translation>{number} Beispiele/h</translation>
    </message>
    <message>
        <source>Paused until {moment}</source>
        <translation>Pausiert bis {moment}</translation>
    </message>
    <message>
        <source>Paused: {reason}</source>
        <translation>Pausiert: {reason}</translation>
    </message>
    <message>
        <source>Slowed to {percent}: {reason}</source>
        <translation>Gedrosselt auf {percent}: {reason}</translation>
    </message>
    <message>
        <source>Waiting: the trainer is being restarted</source>
        <translation>Wartet: Der Trainer wird neu gestartet</translation>
    </message>
    <message>
        <source>Waiting: asking the run&apos;s coordinator for admission</source>
        <translation>Wartet: Der Koordinator des Projekts wird um Zulassung gebeten</translation>
    </message>
    <message>
        <source>Waiting: the run goes on from an earlier checkpoint, which is being downloaded</source>
        <translation>Wartet: Das Projekt wird von einem früheren Zwischenstand aus fortgesetzt, der gerade heruntergeladen wird</translation>
    </message>
    <message>
        <source>Starting to train</source>
        <translation>Das Training beginnt</translation>
    </message>
    <message>
        <source>Finishing this epoch, then pausing</source>
        <translation>Diese Epoche wird noch abgeschlossen, dann ist Pause</translation>
    </message>
    <message>
        <source>Something needs your attention</source>
        <translation>Deine Aufmerksamkeit ist gefragt</translation>
    </message>
    <message>
        <source>Leaving the swarm</source>
        <translation>Der Schwarm wird verlassen</translation>
    </message>
    <message>
        <source>This run is complete</source>
        <translation>Dieses Projekt ist abgeschlossen</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Startet</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training läuft</translation>
    </message>
    <message>
        <source>Slowed down</source>
        <translation>Gedrosselt</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Finishing</source>
        <translation>Beendet Epoche</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>Bitte nachsehen</translation>
    </message>
    <message>
        <source>Leaving</source>
        <translation>Verlässt Schwarm</translation>
    </message>
    <message>
        <source>Complete</source>
        <translation>Abgeschlossen</translation>
    </message>
</context>
<context>
    <name>AlbumCard</name>
    <message>
        <source>Fill in the same words again</source>
        <translation>Dieselben Worte noch einmal eintragen</translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln more picture(s)</source>
        <translation>
            <numerusform>%Ln weiteres Bild zeigen</numerusform>
            <numerusform>%Ln weitere Bilder zeigen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Albums</name>
    <message>
        <source>best {kept} of {drawn}</source>
        <extracomment>Of the pictures that were drawn, so many were kept.</extracomment>
        <translation>die besten {kept} von {drawn}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln picture(s)</source>
        <translation>
            <numerusform>%Ln Bild</numerusform>
            <numerusform>%Ln Bilder</numerusform>
        </translation>
    </message>
    <message>
        <source>epoch {epoch}</source>
        <translation>Epoche {epoch}</translation>
    </message>
    <message>
        <source>All were kept, as they could not be ranked. {reason}</source>
        <extracomment>{reason} is a whole English sentence.</extracomment>
        <translation>Alle wurden behalten, weil sie sich nicht bewerten ließen. {reason}</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Nummer</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Bewertung</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Likeliest codes</source>
        <translation>Wahrscheinlichste Codes</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <extracomment>Such as &quot;3 of 16&quot;.</extracomment>
        <translation>{number} von {total}</translation>
    </message>
    <message>
        <source>{prompt}, picture {number} of {total}</source>
        <translation>{prompt}, Bild {number} von {total}</translation>
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
        <translation>{minutes}&#xa0;min</translation>
    </message>
    <message>
        <source>{size}/s</source>
        <extracomment>A speed; {size} is such as &quot;1.2 MB&quot;.</extracomment>
        <translation>{size}/s</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds}&#xa0;s</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <extracomment>How a date is written: d, day; MMM, short name of the month; yyyy, year; other letters in &apos;quotes&apos;.</extracomment>
        <translation>d. MMM yyyy</translation>
    </message>
    <message>
        <source>d MMM</source>
        <extracomment>How a date without its year is written: d, day; MMM, short name of the month; other letters in &apos;quotes&apos;.</extracomment>
        <translation>d. MMM</translation>
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
        <translation>{number}&#xa0;Wh</translation>
    </message>
    <message>
        <source>{number} kWh</source>
        <translation>{number}&#xa0;kWh</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes}&#xa0;min {seconds}&#xa0;s</translation>
    </message>
    <message>
        <source>{hours} h</source>
        <translation>{hours}&#xa0;h</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours}&#xa0;h {minutes}&#xa0;min</translation>
    </message>
    <message>
        <source>{days} d</source>
        <translation>{days}&#xa0;T</translation>
    </message>
    <message>
        <source>{days} d {hours} h</source>
        <translation>{days}&#xa0;T {hours}&#xa0;h</translation>
    </message>
</context>
<context>
    <name>AppCard</name>
    <message>
        <source>This app</source>
        <translation>Diese App</translation>
    </message>
    <message>
        <source>Same as the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>A new language takes effect the next time Idlebrush starts.</source>
        <translation>Eine neue Sprache gilt ab dem nächsten Start von Idlebrush.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>Light, dark, or the same as the system.</source>
        <translation>Hell, dunkel oder wie das System.</translation>
    </message>
    <message>
        <source>When you are signed out, something needs your attention, you reach your best rank, or a run is complete.</source>
        <translation>Wenn du abgemeldet wurdest, deine Aufmerksamkeit gefragt ist, du deinen bisher besten Platz erreichst oder ein Projekt abgeschlossen ist.</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
    <message>
        <source>Stay in the tray</source>
        <translation>Im Infobereich bleiben</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>What happens to the app, if the desktop has a tray.</source>
        <translation>Was mit der App geschieht, sofern der Desktop einen Infobereich hat.</translation>
    </message>
    <message>
        <source>When the window is closed</source>
        <translation>Wenn das Fenster geschlossen wird</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation>Weitertrainieren</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>What happens to training in the background.</source>
        <translation>Was mit dem Training im Hintergrund geschieht.</translation>
    </message>
    <message>
        <source>When the app is quit</source>
        <translation>Wenn die App beendet wird</translation>
    </message>
</context>
<context>
    <name>Badge</name>
    <message>
        <source>Reached on {day}</source>
        <translation>Erreicht am {day}</translation>
    </message>
</context>
<context>
    <name>Badges</name>
    <message numerus="yes">
        <source>Trained on %Ln sample(s)</source>
        <translation>
            <numerusform>Mit %Ln Beispiel trainiert</numerusform>
            <numerusform>Mit %Ln Beispielen trainiert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Gave %Ln hour(s) of computing</source>
        <translation>
            <numerusform>%Ln Stunde Rechenzeit gespendet</numerusform>
            <numerusform>%Ln Stunden Rechenzeit gespendet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Contributed on %Ln day(s) in a row</source>
        <translation>
            <numerusform>An %Ln Tag mitgemacht</numerusform>
            <numerusform>An %Ln Tagen in Folge mitgemacht</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Took part in %Ln epoch(s) of the swarm</source>
        <translation>
            <numerusform>An %Ln Epoche des Schwarms beteiligt</numerusform>
            <numerusform>An %Ln Epochen des Schwarms beteiligt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Trained through %Ln night(s)</source>
        <translation>
            <numerusform>%Ln Nacht lang trainiert</numerusform>
            <numerusform>%Ln Nächte lang trainiert</numerusform>
        </translation>
    </message>
    <message>
        <source>One hundred</source>
        <translation>Einhundert</translation>
    </message>
    <message>
        <source>One thousand</source>
        <translation>Eintausend</translation>
    </message>
    <message>
        <source>Ten thousand</source>
        <translation>Zehntausend</translation>
    </message>
    <message>
        <source>A hundred thousand</source>
        <translation>Hunderttausend</translation>
    </message>
    <message>
        <source>One million</source>
        <translation>Eine Million</translation>
    </message>
    <message>
        <source>Ten hours</source>
        <translation>Zehn Stunden</translation>
    </message>
    <message>
        <source>Around the clock</source>
        <translation>Rund um die Uhr</translation>
    </message>
    <message>
        <source>A hundred hours</source>
        <translation>Hundert Stunden</translation>
    </message>
    <message>
        <source>A thousand hours</source>
        <translation>Tausend Stunden</translation>
    </message>
    <message>
        <source>Three days in a row</source>
        <translation>Drei Tage in Folge</translation>
    </message>
    <message>
        <source>A week in a row</source>
        <translation>Eine Woche in Folge</translation>
    </message>
    <message>
        <source>A month in a row</source>
        <translation>Einen Monat in Folge</translation>
    </message>
    <message>
        <source>A hundred days in a row</source>
        <translation>Hundert Tage in Folge</translation>
    </message>
    <message>
        <source>First epoch</source>
        <translation>Erste Epoche</translation>
    </message>
    <message>
        <source>A hundred epochs</source>
        <translation>Hundert Epochen</translation>
    </message>
    <message>
        <source>A thousand epochs</source>
        <translation>Tausend Epochen</translation>
    </message>
    <message>
        <source>Night painter</source>
        <translation>Nachtmaler</translation>
    </message>
    <message>
        <source>A month of nights</source>
        <translation>Ein Monat voller Nächte</translation>
    </message>
</context>
<context>
    <name>BadgesCard</name>
    <message>
        <source>Badges</source>
        <translation>Abzeichen</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>BarChart</name>
    <message numerus="yes">
        <source>%Ln value(s) from {start} to {end}; the highest is {high} at {best}. Arrow keys read single values.</source>
        <translation>
            <numerusform>%Ln Wert von {start} bis {end}; der höchste ist {high} bei {best}. Die Pfeiltasten lesen einzelne Werte vor.</numerusform>
            <numerusform>%Ln Werte von {start} bis {end}; der höchste ist {high} bei {best}. Die Pfeiltasten lesen einzelne Werte vor.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BoardModel</name>
    <message>
        <source>Rank</source>
        <translation>Platz</translation>
    </message>
    <message>
        <source>Volunteer</source>
        <translation>Freiwillige</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>Rechenzeit</translation>
    </message>
</context>
<context>
    <name>BoardTable</name>
    <message>
        <source>Leaderboard</source>
        <translation>Rangliste</translation>
    </message>
</context>
<context>
    <name>ChartCard</name>
    <message>
        <source>Over time</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>What is counted</source>
        <translation>Was gezählt wird</translation>
    </message>
</context>
<context>
    <name>CodePanel</name>
    <message>
        <source>There, enter this code:</source>
        <translation>Gib dort diesen Code ein:</translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Code {code}</source>
        <extracomment>{code} is to be read out letter by letter.</extracomment>
        <translation>Code {code}</translation>
    </message>
    <message>
        <source>Open {address}, here or on your phone.</source>
        <translation>Öffne {address}, hier oder auf deinem Smartphone.</translation>
    </message>
    <message>
        <source>Go on in your browser, which shows {address}.</source>
        <translation>Mach in deinem Browser weiter, der {address} anzeigt.</translation>
    </message>
    <message>
        <source>Copy the code</source>
        <translation>Code kopieren</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>ConsentScreen</name>
    <message>
        <source>I agree that this computer trains this run as described above.</source>
        <translation>Ich stimme zu, dass dieser Computer wie oben beschrieben für dieses Projekt trainiert.</translation>
    </message>
    <message>
        <source>Agree</source>
        <translation>Zustimmen</translation>
    </message>
    <message>
        <source>Open Idlebrush</source>
        <translation>Idlebrush öffnen</translation>
    </message>
    <message>
        <source>Start training</source>
        <translation>Training starten</translation>
    </message>
    <message>
        <source>Check the box if you agree.</source>
        <translation>Setze das Häkchen, wenn du zustimmst.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Downloading the run&apos;s files</source>
        <translation>Projektdateien werden heruntergeladen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Do you agree?</source>
        <translation>Stimmst du zu?</translation>
    </message>
    <message>
        <source>This is what will happen once you do.</source>
        <translation>Das geschieht, sobald du zustimmst.</translation>
    </message>
    <message>
        <source>I have compared the key {key} with the one that the organiser published.</source>
        <extracomment>{key} is a row of letters and digits.</extracomment>
        <translation>Ich habe den Schlüssel {key} mit dem verglichen, den die Projektleitung veröffentlicht hat.</translation>
    </message>
    <message>
        <source>It trains when you are away</source>
        <translation>Trainiert wird, wenn du weg bist</translation>
    </message>
    <message>
        <source>You are part of the run now</source>
        <translation>Du bist jetzt beim Projekt dabei</translation>
    </message>
    <message>
        <source>That is all. Idlebrush stays near the clock; open it to see the pictures get better.</source>
        <translation>Das war alles. Du findest Idlebrush neben der Uhr. Öffne es, um zu sehen, wie die Bilder besser werden.</translation>
    </message>
</context>
<context>
    <name>ContributionPage</name>
    <message>
        <source>By day</source>
        <translation>Nach Tagen</translation>
    </message>
    <message>
        <source>By week</source>
        <translation>Nach Wochen</translation>
    </message>
    <message>
        <source>All time</source>
        <translation>Gesamte Zeit</translation>
    </message>
    <message>
        <source>Which time</source>
        <translation>Zeitraum</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Dieses Projekt</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>Alle Projekte</translation>
    </message>
    <message>
        <source>Which runs</source>
        <translation>Welche Projekte</translation>
    </message>
    <message>
        <source>It begins with the first epoch that this computer takes part in.</source>
        <translation>Er beginnt mit der ersten Epoche, an der dieser Computer mitwirkt.</translation>
    </message>
    <message>
        <source>No contribution yet</source>
        <translation>Noch kein Beitrag</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
</context>
<context>
    <name>ContributionView</name>
    <message numerus="yes">
        <source>%Ln day(s)</source>
        <translation>
            <numerusform>%Ln Tag</numerusform>
            <numerusform>%Ln Tage</numerusform>
        </translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>Stunden</translation>
    </message>
    <message>
        <source>Watt-hours</source>
        <translation>Wattstunden</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nichts</translation>
    </message>
    <message numerus="yes">
        <source>%Ln sample(s)</source>
        <translation>
            <numerusform>%Ln Beispiel</numerusform>
            <numerusform>%Ln Beispiele</numerusform>
        </translation>
    </message>
    <message>
        <source>Week of {day}</source>
        <translation>Woche ab {day}</translation>
    </message>
    <message>
        <source>MMM yyyy</source>
        <extracomment>A month with its year, such as &quot;Mar 2026&quot;: MMM, short name of the month; yyyy, year.</extracomment>
        <translation>MMM yyyy</translation>
    </message>
    <message>
        <source>In the last 30 days</source>
        <translation>In den letzten 30 Tagen</translation>
    </message>
    <message>
        <source>In the last 26 weeks</source>
        <translation>In den letzten 26 Wochen</translation>
    </message>
    <message>
        <source>Since you began</source>
        <translation>Seit du dabei bist</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>Rechenzeit</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Unbekannt</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Gesendet</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>Empfangen</translation>
    </message>
    <message>
        <source>Contribute on two days in a row to start a streak.</source>
        <translation>Mach an zwei Tagen hintereinander mit, um eine Serie zu beginnen.</translation>
    </message>
    <message numerus="yes">
        <source>Your longest streak: %Ln day(s)</source>
        <translation>
            <numerusform>Deine längste Serie: %Ln Tag</numerusform>
            <numerusform>Deine längste Serie: %Ln Tage</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EmbeddedWay</name>
    <message>
        <source>It learns to draw emoji from their names, in minutes rather than months. Nobody else takes part, and nothing leaves this computer. With so few pictures, the model learns them by heart: it shows how training works, but is of no use beyond that.</source>
        <translation>Hier lernt ein Modell in Minuten statt in Monaten, Emojis nach ihren Namen zu zeichnen. Sonst macht niemand mit, und nichts verlässt diesen Computer. Bei so wenigen Bildern lernt das Modell sie auswendig: Es zeigt, wie Training funktioniert, taugt aber nicht für die Praxis.</translation>
    </message>
</context>
<context>
    <name>EpochCard</name>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>The swarm&apos;s progress shows up once training has begun.</source>
        <translation>Der Fortschritt des Schwarms erscheint, sobald das Training begonnen hat.</translation>
    </message>
</context>
<context>
    <name>EpochRing</name>
    <message>
        <source>Progress of the epoch</source>
        <translation>Fortschritt der Epoche</translation>
    </message>
</context>
<context>
    <name>FileWay</name>
    <message>
        <source>Choose a file…</source>
        <translation>Datei wählen&#xa0;…</translation>
    </message>
    <message>
        <source>Or drop it anywhere on this screen.</source>
        <translation>Oder zieh sie an eine beliebige Stelle dieser Seite.</translation>
    </message>
    <message>
        <source>Choose a run&apos;s description</source>
        <translation>Projektbeschreibung wählen</translation>
    </message>
    <message>
        <source>Descriptions of runs (*.toml)</source>
        <translation>Projektbeschreibungen (*.toml)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message>
        <source>Paste a token first.</source>
        <translation>Füge zuerst ein Token ein.</translation>
    </message>
    <message>
        <source>That is far too long for a token. Copy only the token.</source>
        <translation>Das ist viel zu lang für ein Token. Kopiere nur das Token.</translation>
    </message>
    <message>
        <source>That contains characters that no token has. Copy only the token.</source>
        <translation>Das enthält Zeichen, die in Tokens nicht vorkommen. Kopiere nur das Token.</translation>
    </message>
    <message>
        <source>Your sign-in is kept in this computer&apos;s keyring.</source>
        <translation>Deine Anmeldung wird im Schlüsselbund dieses Computers aufbewahrt.</translation>
    </message>
    <message>
        <source>Your sign-in is kept until Idlebrush ends.</source>
        <translation>Deine Anmeldung gilt, bis Idlebrush beendet wird.</translation>
    </message>
    <message>
        <source>Your sign-in is kept in a file that only you can read.</source>
        <translation>Deine Anmeldung wird in einer Datei aufbewahrt, die nur du lesen kannst.</translation>
    </message>
    <message>
        <source>This has expired.</source>
        <translation>Er ist abgelaufen.</translation>
    </message>
    <message>
        <source>Good for another {time}.</source>
        <extracomment>{time} is such as &quot;9 min 30 s&quot;.</extracomment>
        <translation>Noch {time} gültig.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <source>It takes the place of {title}, which this computer trains now.</source>
        <translation>Es ersetzt das Projekt {title}, für das dieser Computer jetzt trainiert.</translation>
    </message>
    <message>
        <source>Instead of</source>
        <translation>Anstelle von</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Computer</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Download</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>Datenverkehr</translation>
    </message>
    <message>
        <source>Others see</source>
        <translation>Andere sehen</translation>
    </message>
    <message>
        <source>Pause it or leave the run whenever you like, from the icon near the clock.</source>
        <translation>Über das Symbol neben der Uhr kannst du jederzeit pausieren oder das Projekt verlassen.</translation>
    </message>
    <message>
        <source>To stop</source>
        <translation>Aufhören</translation>
    </message>
    <message>
        <source>Preparing to download the run&apos;s files…</source>
        <translation>Der Download der Projektdateien wird vorbereitet&#xa0;…</translation>
    </message>
    <message>
        <source>Downloading the run&apos;s files: {share}, {size} to go.</source>
        <extracomment>{share} is such as &quot;42%&quot;, {size} such as &quot;1.2 GB&quot;.</extracomment>
        <translation>Projektdateien werden heruntergeladen: {share}, noch {size}.</translation>
    </message>
    <message>
        <source>Leave this for now?</source>
        <translation>Einrichtung jetzt verlassen?</translation>
    </message>
    <message>
        <source>Nothing is trained until you join a run. You can do that later, from the window.</source>
        <translation>Trainiert wird erst, wenn du einem Projekt beitrittst. Das kannst du später im Fenster nachholen.</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Verlassen</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Bleiben</translation>
    </message>
    <message>
        <source>Organiser</source>
        <translation>Projektleitung</translation>
    </message>
    <message>
        <source>It comes with Idlebrush, and trains on this computer alone.</source>
        <translation>Das Projekt gehört zu Idlebrush und trainiert nur auf diesem Computer.</translation>
    </message>
    <message>
        <source>It has no website; its key is {key}.</source>
        <translation>Das Projekt hat keine Website; sein Schlüssel ist {key}.</translation>
    </message>
    <message>
        <source>{where}, with the key {key}</source>
        <extracomment>{where} is a website, {key} a row of letters and digits.</extracomment>
        <translation>{where}, mit dem Schlüssel {key}</translation>
    </message>
    <message>
        <source>Nothing: all of its files are here.</source>
        <translation>Nicht nötig: Alle Dateien sind schon hier.</translation>
    </message>
    <message>
        <source>{size}, once, before it begins.</source>
        <translation>{size}, einmalig vor dem Beginn.</translation>
    </message>
    <message>
        <source>None: there is nobody to exchange anything with.</source>
        <translation>Keiner: Es gibt niemanden, mit dem etwas auszutauschen wäre.</translation>
    </message>
    <message>
        <source>At most about {size} each way in a day without a pause, among 16 computers like this one. You can set limits in the preferences.</source>
        <translation>Höchstens etwa {size} je Richtung an einem Tag ohne Pause, bei 16 Computern wie diesem. In den Einstellungen kannst du Grenzen festlegen.</translation>
    </message>
    <message>
        <source>At most about {size} each way for every step that all take together.</source>
        <translation>Höchstens etwa {size} je Richtung für jeden Schritt, den alle gemeinsam machen.</translation>
    </message>
    <message>
        <source>Nothing. None of your files is read or sent.</source>
        <translation>Nichts. Keine deiner Dateien wird gelesen oder gesendet.</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address, how fast it trains, and your user name, which you can hide on the run&apos;s pages. None of your files is read or sent.</source>
        <translation>Die Internetadresse dieses Computers, wie schnell er trainiert, und deinen Benutzernamen, den du auf den Seiten des Projekts verbergen kannst. Keine deiner Dateien wird gelesen oder gesendet.</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address and how fast it trains, under a random name. None of your files is read or sent.</source>
        <translation>Die Internetadresse dieses Computers und wie schnell er trainiert, unter einem zufälligen Namen. Keine deiner Dateien wird gelesen oder gesendet.</translation>
    </message>
    <message>
        <source>Loading the run to try it out. On a busy computer that takes a while…</source>
        <translation>Das Projekt wird für den Probelauf geladen. Auf einem ausgelasteten Computer dauert das eine Weile&#xa0;…</translation>
    </message>
    <message>
        <source>This computer is trying the run out…</source>
        <translation>Probelauf auf diesem Computer&#xa0;…</translation>
    </message>
    <message>
        <source>See how fast this computer is: it tries the run out for a minute.</source>
        <translation>Finde heraus, wie schnell dieser Computer ist: Ein Probelauf dauert eine Minute.</translation>
    </message>
    <message>
        <source>About {rate} samples an hour. Each step takes {target} from all together.</source>
        <extracomment>{rate} is a number; the model learns from samples: pictures with their descriptions.</extracomment>
        <translation>Etwa {rate} Beispiele pro Stunde. Für jeden Schritt braucht es {target} von allen zusammen.</translation>
    </message>
    <message>
        <source>This run admits members of {organisation} on the Hugging Face Hub.</source>
        <translation>Dieses Projekt lässt Mitglieder von {organisation} auf dem Hugging Face Hub zu.</translation>
    </message>
    <message>
        <source>This run admits people on its organiser&apos;s list.</source>
        <translation>Dieses Projekt lässt alle zu, die auf der Liste der Projektleitung stehen.</translation>
    </message>
    <message>
        <source>This run admits people whom its organiser has invited.</source>
        <translation>Dieses Projekt lässt alle zu, die von der Projektleitung eingeladen wurden.</translation>
    </message>
    <message>
        <source>This run admits anyone who signs in with the Hugging Face Hub.</source>
        <translation>Dieses Projekt lässt alle zu, die sich beim Hugging Face Hub anmelden.</translation>
    </message>
    <message>
        <source>You sign in at {hub}. That proves to {coordinator}, and to nobody else, who you are: the organiser learns your user name, and gets no access to your account.</source>
        <translation>Du meldest dich bei {hub} an. Das weist {coordinator} gegenüber, und niemandem sonst, nach, wer du bist: Die Projektleitung erfährt deinen Benutzernamen, erhält aber keinen Zugriff auf dein Konto.</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background.</source>
        <translation>Idlebrush läuft nicht im Hintergrund.</translation>
    </message>
    <message>
        <source>The sign-in is still under way.</source>
        <translation>Die Anmeldung läuft noch.</translation>
    </message>
    <message>
        <source>Choose a run first.</source>
        <translation>Wähle zuerst ein Projekt.</translation>
    </message>
    <message>
        <source>One moment: looking at the run.</source>
        <translation>Einen Moment: Das Projekt wird geprüft.</translation>
    </message>
    <message>
        <source>Choose a run that can be joined.</source>
        <translation>Wähle ein Projekt, dem du beitreten kannst.</translation>
    </message>
    <message>
        <source>This run is too large for this computer.</source>
        <translation>Dieses Projekt ist zu groß für diesen Computer.</translation>
    </message>
    <message>
        <source>Sign in to this run first.</source>
        <translation>Melde dich zuerst bei diesem Projekt an.</translation>
    </message>
    <message>
        <source>While I am away</source>
        <translation>Wenn ich weg bin</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Immer</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>At any hour</source>
        <translation>Rund um die Uhr</translation>
    </message>
    <message>
        <source>Evenings, nights and weekends</source>
        <translation>Abends, nachts und am Wochenende</translation>
    </message>
    <message>
        <source>At night</source>
        <translation>Nachts</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>Volle Geschwindigkeit</translation>
    </message>
    <message>
        <source>Three quarters of the time</source>
        <translation>Drei Viertel der Zeit</translation>
    </message>
    <message>
        <source>Half of the time, cooler and quieter</source>
        <translation>Die halbe Zeit, kühler und leiser</translation>
    </message>
    <message>
        <source>A quarter of the time, hardly noticed</source>
        <translation>Ein Viertel der Zeit, kaum zu merken</translation>
    </message>
    <message>
        <source>As set: {value}</source>
        <extracomment>{value} is what was set elsewhere, such as &quot;mon-fri 18:00-08:00&quot;.</extracomment>
        <translation>Wie festgelegt: {value}</translation>
    </message>
    <message>
        <source>Whenever your preferences allow it.</source>
        <translation>Wann immer deine Einstellungen es erlauben.</translation>
    </message>
    <message>
        <source>It always trains, even while you use the computer.</source>
        <translation>Es trainiert immer, auch während du den Computer benutzt.</translation>
    </message>
    <message>
        <source>It does not train until you allow it.</source>
        <translation>Es trainiert erst, wenn du es erlaubst.</translation>
    </message>
    <message>
        <source>It trains once nobody has used the computer for {idle}. {hours}.</source>
        <extracomment>{idle} is such as &quot;3 min&quot;; {hours} is such as &quot;At any hour&quot;, &quot;At night&quot;.</extracomment>
        <translation>Es trainiert, sobald der Computer {idle} lang nicht benutzt wurde. {hours}.</translation>
    </message>
    <message>
        <source>It rests only when the computer gets hot or runs low on battery or memory.</source>
        <translation>Es pausiert nur, wenn der Computer heiß wird oder Akku oder Speicher knapp werden.</translation>
    </message>
    <message>
        <source>It trains on battery as well.</source>
        <translation>Es trainiert auch im Akkubetrieb.</translation>
    </message>
    <message>
        <source>It rests on battery, during games and videos, and when it gets hot.</source>
        <translation>Es pausiert im Akkubetrieb, bei Spielen und Videos und wenn es zu heiß wird.</translation>
    </message>
    <message>
        <source>It computes for at most {share} of the time.</source>
        <extracomment>{share} is such as &quot;50%&quot;.</extracomment>
        <translation>Es rechnet höchstens {share} der Zeit.</translation>
    </message>
    <message>
        <source>It starts when you log in.</source>
        <translation>Es startet, wenn du dich am Computer anmeldest.</translation>
    </message>
    <message>
        <source>It starts when you open Idlebrush.</source>
        <translation>Es startet, wenn du Idlebrush öffnest.</translation>
    </message>
    <message>
        <source>Welcome to Idlebrush</source>
        <translation>Willkommen bei Idlebrush</translation>
    </message>
    <message>
        <source>Join a run</source>
        <translation>Einem Projekt beitreten</translation>
    </message>
</context>
<context>
    <name>Foot</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
</context>
<context>
    <name>GalleryPage</name>
    <message>
        <source>The run</source>
        <translation>Das Projekt</translation>
    </message>
    <message>
        <source>My pictures</source>
        <translation>Meine Bilder</translation>
    </message>
    <message>
        <source>Which pictures</source>
        <translation>Welche Bilder</translation>
    </message>
</context>
<context>
    <name>GatePanel</name>
    <message>
        <source>Only members train this run</source>
        <translation>Bei diesem Projekt trainieren nur Mitglieder</translation>
    </message>
    <message>
        <source>Code of your invitation</source>
        <translation>Dein Einladungscode</translation>
    </message>
    <message>
        <source>Sign in with the browser</source>
        <translation>Im Browser anmelden</translation>
    </message>
    <message>
        <source>Get a code instead</source>
        <translation>Stattdessen Code anfordern</translation>
    </message>
    <message>
        <source>You are admitted to this run.</source>
        <translation>Du bist zu diesem Projekt zugelassen.</translation>
    </message>
    <message>
        <source>Only until Idlebrush ends</source>
        <translation>Nur bis Idlebrush beendet wird</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot keep your membership</source>
        <translation>Der Schlüsselbund dieses Computers kann deine Mitgliedschaft nicht aufbewahren</translation>
    </message>
    <message>
        <source>Unlock it and try again, or sign in until Idlebrush ends.</source>
        <translation>Entsperre ihn und versuche es erneut, oder melde dich nur an, bis Idlebrush beendet wird.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Website of the run</source>
        <translation>Website des Projekts</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>Version {version}</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>In the background</source>
        <translation>Im Hintergrund</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy details for a bug report</source>
        <translation>Angaben für Fehlerbericht kopieren</translation>
    </message>
    <message>
        <source>Idle computers together train a model that draws what it is told to.</source>
        <translation>Computer, die gerade nichts zu tun haben, trainieren gemeinsam ein Modell, das zeichnet, was man ihm sagt.</translation>
    </message>
</context>
<context>
    <name>Hero</name>
    <message>
        <source>Website</source>
        <translation>Website</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>Zeitweise pausieren</translation>
    </message>
    <message>
        <source>Finish this epoch</source>
        <translation>Diese Epoche abschließen</translation>
    </message>
    <message>
        <source>Train anyway</source>
        <translation>Trotzdem trainieren</translation>
    </message>
    <message>
        <source>Back to my preferences</source>
        <translation>Zurück zu meinen Einstellungen</translation>
    </message>
</context>
<context>
    <name>HoursEditor</name>
    <message>
        <source>Drag to paint, or move with the arrow keys and press Space. Or type the hours into the field.</source>
        <translation>Male mit gedrückter Maustaste, oder bewege dich mit den Pfeiltasten und drücke die Leertaste. Oder gib die Zeiten in das Feld ein.</translation>
    </message>
    <message>
        <source>{preference}, as text</source>
        <translation>{preference}, als Text</translation>
    </message>
</context>
<context>
    <name>HoursGrid</name>
    <message>
        <source>{day}, {time}: training is allowed</source>
        <translation>{day}, {time}: Training erlaubt</translation>
    </message>
    <message>
        <source>{day}, {time}: training pauses</source>
        <translation>{day}, {time}: Training pausiert</translation>
    </message>
</context>
<context>
    <name>KeepingCard</name>
    <message>
        <source>For your records</source>
        <translation>Für deine Unterlagen</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Get signed receipts</source>
        <translation>Signierte Quittungen abrufen</translation>
    </message>
    <message>
        <source>Open my page on the website</source>
        <translation>Meine Seite auf der Website öffnen</translation>
    </message>
    <message>
        <source>A file with a row for each day. The run&apos;s coordinator also signs receipts for what you gave.</source>
        <translation>Eine Datei mit einer Zeile für jeden Tag. Der Koordinator des Projekts signiert auch Quittungen für deinen Beitrag.</translation>
    </message>
    <message>
        <source>A file with a row for each day, for a spreadsheet or a program.</source>
        <translation>Eine Datei mit einer Zeile für jeden Tag, für die Tabellenkalkulation oder für Programme.</translation>
    </message>
    <message>
        <source>For a spreadsheet (CSV)</source>
        <translation>Für die Tabellenkalkulation (CSV)</translation>
    </message>
    <message>
        <source>For programs (JSON)</source>
        <translation>Für Programme (JSON)</translation>
    </message>
    <message>
        <source>Export my contribution</source>
        <translation>Meinen Beitrag exportieren</translation>
    </message>
    <message>
        <source>{format} files (*.{ending})</source>
        <translation>{format}-Dateien (*.{ending})</translation>
    </message>
    <message>
        <source>Your contribution was saved as {file}</source>
        <translation>Dein Beitrag wurde als {file} gespeichert</translation>
    </message>
    <message>
        <source>The file could not be written</source>
        <translation>Die Datei konnte nicht geschrieben werden</translation>
    </message>
    <message>
        <source>Choose another folder, or free some space. The system says: {why}</source>
        <translation>Wähle einen anderen Ordner, oder gib Speicherplatz frei. Meldung des Systems: {why}</translation>
    </message>
    <message>
        <source>Downloading and checking the receipts</source>
        <translation>Die Quittungen werden abgerufen und geprüft</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Your signed receipts are on this computer</source>
        <translation>Deine signierten Quittungen sind auf diesem Computer</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Ordner öffnen</translation>
    </message>
</context>
<context>
    <name>LargePicture</name>
    <message>
        <source>Save…</source>
        <translation>Speichern&#xa0;…</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Draw again…</source>
        <translation>Noch einmal zeichnen&#xa0;…</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>The picture is saved</source>
        <translation>Das Bild wurde gespeichert</translation>
    </message>
    <message>
        <source>{reason}. Choose another folder.</source>
        <translation>{reason}. Wähle einen anderen Ordner.</translation>
    </message>
    <message>
        <source>The picture could not be saved</source>
        <translation>Das Bild konnte nicht gespeichert werden</translation>
    </message>
    <message>
        <source>The picture is on the clipboard</source>
        <translation>Das Bild ist in der Zwischenablage</translation>
    </message>
</context>
<context>
    <name>LeaderboardPage</name>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Ranked by</source>
        <translation>Rangfolge nach</translation>
    </message>
    <message>
        <source>All time</source>
        <translation>Gesamte Zeit</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Which time</source>
        <translation>Zeitraum</translation>
    </message>
    <message>
        <source>Show my row</source>
        <translation>Meine Zeile zeigen</translation>
    </message>
    <message>
        <source>Hide my name from others</source>
        <translation>Meinen Namen vor anderen verbergen</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Projekt wählen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
</context>
<context>
    <name>LeaderboardView</name>
    <message>
        <source>Hidden volunteer</source>
        <translation>Anonym</translation>
    </message>
    <message>
        <source>{name} (you, hidden from others)</source>
        <translation>{name} (du, vor anderen verborgen)</translation>
    </message>
    <message>
        <source>{name} (you)</source>
        <translation>{name} (du)</translation>
    </message>
    <message>
        <source>Volunteers so far: {total}. You are not among them yet.</source>
        <translation>Freiwillige bisher: {total}. Du bist noch nicht dabei.</translation>
    </message>
    <message>
        <source>You are number {rank} of {total}.</source>
        <translation>Du bist auf Platz {rank} von {total}.</translation>
    </message>
    <message>
        <source>Volunteers so far: {total}. Nobody signs in to this run, so it is not known which row is yours.</source>
        <translation>Freiwillige bisher: {total}. Bei diesem Projekt meldet sich niemand an, daher ist nicht bekannt, welche Zeile deine ist.</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Nicht verbunden</translation>
    </message>
    <message>
        <source>The leaderboard shows up once Idlebrush runs in the background.</source>
        <translation>Die Rangliste erscheint, sobald Idlebrush im Hintergrund läuft.</translation>
    </message>
    <message>
        <source>You have not joined a run yet</source>
        <translation>Du bist noch keinem Projekt beigetreten</translation>
    </message>
    <message>
        <source>Join a run, and see here how your contribution compares.</source>
        <translation>Tritt einem Projekt bei und sieh hier, wie dein Beitrag im Vergleich dasteht.</translation>
    </message>
    <message>
        <source>This run has no leaderboard</source>
        <translation>Dieses Projekt hat keine Rangliste</translation>
    </message>
    <message>
        <source>Its organiser does not count contributions. Yours is counted on this computer: see My contribution.</source>
        <translation>Die Projektleitung zählt die Beiträge nicht. Was du beigetragen hast, zählt dieser Computer: siehe „Mein Beitrag“.</translation>
    </message>
    <message>
        <source>Nobody here yet</source>
        <translation>Noch ist niemand dabei</translation>
    </message>
    <message>
        <source>It begins with the first epoch that somebody takes part in.</source>
        <translation>Sie beginnt mit der ersten Epoche, an der jemand mitwirkt.</translation>
    </message>
    <message>
        <source>Best rank: {rank}, on {day}</source>
        <translation>Bester Platz: {rank}, am {day}</translation>
    </message>
</context>
<context>
    <name>LicenceCard</name>
    <message>
        <source>Licences</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <source>Which licence</source>
        <translation>Welche Lizenz</translation>
    </message>
    <message>
        <source>Its text</source>
        <translation>Ihr Text</translation>
    </message>
    <message>
        <source>This text cannot be read: {reason}.</source>
        <translation>Dieser Text kann nicht gelesen werden: {reason}.</translation>
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
        <translation>Das mitgelieferte Projekt: Woher es stammt</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Bibliotheken</translation>
    </message>
    <message>
        <source>The windows are made with Qt, by the Qt Company and contributors, and with Qt for Python (PySide6). Idlebrush uses both under the GNU Lesser General Public License, version 3. They are separate files beside Idlebrush: you may replace them by versions of your own, and take them apart to find faults in your changes.

The licence: https://www.gnu.org/licenses/lgpl-3.0.html
The sources: https://download.qt.io/official_releases/QtForPython/</source>
        <translation>Die Fenster sind mit Qt gemacht, von der Qt Company und Mitwirkenden, und mit Qt for Python (PySide6). Idlebrush verwendet beide unter der GNU Lesser General Public License, Version 3. Sie sind eigene Dateien neben Idlebrush: Du darfst sie durch eigene Versionen ersetzen und sie zerlegen, um Fehler in deinen Änderungen zu finden.

Die Lizenz: https://www.gnu.org/licenses/lgpl-3.0.html
Die Quelltexte: https://download.qt.io/official_releases/QtForPython/</translation>
    </message>
    <message>
        <source>see its package</source>
        <translation>siehe sein Paket</translation>
    </message>
</context>
<context>
    <name>LineChart</name>
    <message>
        <source>From {first} at {start} to {last} at {end}; the lowest is {low}, the highest {high}. Arrow keys read single values.</source>
        <translation>Von {first} bei {start} bis {last} bei {end}; der niedrigste Wert ist {low}, der höchste {high}. Die Pfeiltasten lesen einzelne Werte vor.</translation>
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
        <translation>Link des Projekts</translation>
    </message>
    <message>
        <source>Look at it</source>
        <translation>Ansehen</translation>
    </message>
    <message>
        <source>That is not a link to a run: such a link begins with idlebrush: or https://</source>
        <translation>Das ist kein Link zu einem Projekt: Ein solcher beginnt mit idlebrush: oder https://</translation>
    </message>
</context>
<context>
    <name>Log</name>
    <message>
        <source>Detail</source>
        <translation>Detail</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>Info</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
</context>
<context>
    <name>LogPage</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>This log cannot be read</source>
        <translation>Dieses Protokoll kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>No line at this level contains these words.</source>
        <translation>Keine Zeile dieser Stufe enthält diese Wörter.</translation>
    </message>
    <message>
        <source>Nothing here yet</source>
        <translation>Noch nichts hier</translation>
    </message>
    <message>
        <source>What happens is recorded here.</source>
        <translation>Hier steht, was geschieht.</translation>
    </message>
    <message>
        <source>Copies the selected lines, or all that are shown</source>
        <translation>Kopiert die ausgewählten oder alle angezeigten Zeilen</translation>
    </message>
    <message>
        <source>The selected lines in full</source>
        <translation>Die ausgewählten Zeilen in voller Länge</translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message>
        <source>Lines of the log</source>
        <translation>Zeilen des Protokolls</translation>
    </message>
</context>
<context>
    <name>LossCurve</name>
    <message>
        <source>How the loss falls</source>
        <translation>So sinkt der Fehler</translation>
    </message>
    <message>
        <source>The curve begins with the swarm&apos;s first epoch.</source>
        <translation>Die Kurve beginnt mit der ersten Epoche des Schwarms.</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Fehler (Loss)</translation>
    </message>
    <message>
        <source>Now {loss}, at the beginning {first}</source>
        <translation>Jetzt {loss}, am Anfang {first}</translation>
    </message>
</context>
<context>
    <name>Mosaic</name>
    <message>
        <source>A sunset over the sea, painted in small strokes that come out of noise</source>
        <translation>Ein Sonnenuntergang über dem Meer, gemalt mit kleinen Strichen, die aus dem Rauschen kommen</translation>
    </message>
</context>
<context>
    <name>NamesEditor</name>
    <message>
        <source>Name of a program</source>
        <translation>Name eines Programms</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
</context>
<context>
    <name>Navigation</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
</context>
<context>
    <name>Notifications</name>
    <message>
        <source>Something needs your attention</source>
        <translation>Deine Aufmerksamkeit ist gefragt</translation>
    </message>
    <message>
        <source>You were signed out</source>
        <translation>Du wurdest abgemeldet</translation>
    </message>
    <message>
        <source>Idlebrush needs your attention</source>
        <translation>Idlebrush braucht deine Aufmerksamkeit</translation>
    </message>
    <message>
        <source>You are at rank {rank} of {of} in “{run}”.</source>
        <translation>Du bist auf Platz {rank} von {of} bei „{run}“.</translation>
    </message>
    <message>
        <source>Your best rank so far</source>
        <translation>Dein bisher bester Platz</translation>
    </message>
    <message>
        <source>“{run}” has done all of its epochs. Have a look at its pictures.</source>
        <translation>„{run}“ hat alle Epochen geschafft. Sieh dir die Bilder an.</translation>
    </message>
    <message>
        <source>The run is complete</source>
        <translation>Das Projekt ist abgeschlossen</translation>
    </message>
</context>
<context>
    <name>NowPage</name>
    <message>
        <source>Nothing to train yet</source>
        <translation>Noch nichts zu trainieren</translation>
    </message>
    <message>
        <source>Join a run, and this computer helps to teach a model to paint whenever you do not need it.</source>
        <translation>Tritt einem Projekt bei, und dieser Computer hilft, einem Modell das Malen beizubringen, wann immer du ihn nicht brauchst.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Projekt wählen</translation>
    </message>
    <message>
        <source>Once Idlebrush runs in the background, you see here what it does.</source>
        <translation>Sobald Idlebrush im Hintergrund läuft, siehst du hier, was es tut.</translation>
    </message>
    <message>
        <source>One moment</source>
        <translation>Einen Moment</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Nicht verbunden</translation>
    </message>
</context>
<context>
    <name>NowReasons</name>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Projekt wählen</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <source>Sign in to this run</source>
        <translation>Bei diesem Projekt anmelden</translation>
    </message>
    <message>
        <source>Change this</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Open the gallery</source>
        <translation>Galerie öffnen</translation>
    </message>
    <message>
        <source>Open the log</source>
        <translation>Protokoll öffnen</translation>
    </message>
</context>
<context>
    <name>NowView</name>
    <message>
        <source>Training waits for data {percent} of the time</source>
        <translation>Das Training wartet {percent} der Zeit auf Daten</translation>
    </message>
    <message>
        <source>The connection, or the limit you set for it, is slower than this computer.</source>
        <translation>Die Verbindung oder die dafür gesetzte Grenze ist langsamer als dieser Computer.</translation>
    </message>
    <message>
        <source>{gathered} of {target} samples</source>
        <translation>{gathered} von {target} Beispielen</translation>
    </message>
    <message>
        <source>{count} by you</source>
        <translation>{count} von dir</translation>
    </message>
    <message>
        <source>Epoch {epoch}</source>
        <translation>Epoche {epoch}</translation>
    </message>
    <message>
        <source>Epoch {epoch} of {total}</source>
        <translation>Epoche {epoch} von {total}</translation>
    </message>
    <message>
        <source>About {duration} to go</source>
        <translation>Noch etwa {duration}</translation>
    </message>
    <message>
        <source>The swarm&apos;s pace</source>
        <translation>Tempo des Schwarms</translation>
    </message>
    <message>
        <source>Your pace</source>
        <translation>Dein Tempo</translation>
    </message>
    <message>
        <source>Your samples in this epoch</source>
        <translation>Deine Beispiele in dieser Epoche</translation>
    </message>
    <message>
        <source>Your samples today</source>
        <translation>Deine Beispiele heute</translation>
    </message>
    <message>
        <source>Peers in the swarm</source>
        <translation>Computer im Schwarm</translation>
    </message>
    <message>
        <source>Your rank among {total}</source>
        <translation>Dein Platz unter {total}</translation>
    </message>
    <message>
        <source>samples per hour</source>
        <translation>Beispiele pro Stunde</translation>
    </message>
    <message>
        <source>samples per second</source>
        <translation>Beispiele pro Sekunde</translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) for pictures wait for gaps in training</source>
        <translation>
            <numerusform>%Ln Bildauftrag wartet auf eine Lücke im Training</numerusform>
            <numerusform>%Ln Bildaufträge warten auf Lücken im Training</numerusform>
        </translation>
    </message>
    <message>
        <source>How this computer trains</source>
        <translation>So trainiert dieser Computer</translation>
    </message>
    <message numerus="yes">
        <source>On the GPU, %Ln sample(s) at a time: {gpu_memory} of its memory, and {memory} of main memory.</source>
        <translation>
            <numerusform>Auf der GPU mit %Ln Beispiel auf einmal: {gpu_memory} GPU-Speicher und {memory} Arbeitsspeicher.</numerusform>
            <numerusform>Auf der GPU mit %Ln Beispielen auf einmal: {gpu_memory} GPU-Speicher und {memory} Arbeitsspeicher.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>On the processor, %Ln sample(s) at a time: {memory} of memory.</source>
        <translation>
            <numerusform>Auf dem Prozessor mit %Ln Beispiel auf einmal: {memory} Arbeitsspeicher.</numerusform>
            <numerusform>Auf dem Prozessor mit %Ln Beispielen auf einmal: {memory} Arbeitsspeicher.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NumberEditor</name>
    <message>
        <source>Unit of “{preference}”</source>
        <translation>Einheit von „{preference}“</translation>
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
        <translation>Das kann kein Modell lesen.</translation>
    </message>
    <message>
        <source>Say in plain words what the picture should show.</source>
        <translation>Sag in einfachen Worten, was das Bild zeigen soll.</translation>
    </message>
    <message>
        <source>Say what the pictures should show.</source>
        <translation>Sag, was die Bilder zeigen sollen.</translation>
    </message>
    <message>
        <source>That is too long. A few words do best.</source>
        <translation>Das ist zu lang. Am besten sind wenige Worte.</translation>
    </message>
</context>
<context>
    <name>Outcome</name>
    <message>
        <source>See how its pictures came about</source>
        <translation>Sieh, wie seine Bilder entstanden sind</translation>
    </message>
    <message>
        <source>All {epochs} epochs are done</source>
        <translation>Alle {epochs} Epochen sind geschafft</translation>
    </message>
    <message>
        <source>Thank you: “{run}” was trained by everybody who took part, and you are one of them.</source>
        <translation>Danke: „{run}“ wurde von allen trainiert, die mitgemacht haben, auch von dir.</translation>
    </message>
</context>
<context>
    <name>OwnPictures</name>
    <message>
        <source>Show older pictures</source>
        <translation>Ältere Bilder zeigen</translation>
    </message>
    <message>
        <source>“{prompt}” is drawn</source>
        <translation>„{prompt}“ ist gezeichnet</translation>
    </message>
    <message>
        <source>Nothing drawn yet</source>
        <translation>Noch nichts gezeichnet</translation>
    </message>
    <message>
        <source>Type a few words above. The model draws many pictures and keeps the best.</source>
        <translation>Gib oben ein paar Worte ein. Das Modell zeichnet viele Bilder und behält die besten.</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Noch kein Projekt</translation>
    </message>
    <message>
        <source>Choose a run: its model draws what you ask for.</source>
        <translation>Wähle ein Projekt: Sein Modell zeichnet, was du dir wünschst.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Projekt wählen</translation>
    </message>
    <message>
        <source>“{prompt}” could not be drawn</source>
        <translation>„{prompt}“ konnte nicht gezeichnet werden</translation>
    </message>
    <message>
        <source>Your pictures cannot be read</source>
        <translation>Deine Bilder können nicht gelesen werden</translation>
    </message>
</context>
<context>
    <name>Plan</name>
    <message>
        <source>This run needs more memory than this computer can give.</source>
        <translation>Dieses Projekt braucht mehr Speicher, als dieser Computer geben kann.</translation>
    </message>
    <message>
        <source>Trains on {device} with {gpu_memory} of its memory and {memory} of main memory.</source>
        <extracomment>{gpu_memory} and {memory} are such as &quot;5.2 GB&quot;.</extracomment>
        <translation>Trainiert auf {device} mit {gpu_memory} GPU-Speicher und {memory} Arbeitsspeicher.</translation>
    </message>
    <message>
        <source>Trains on the processor with {memory} of memory.</source>
        <translation>Trainiert auf dem Prozessor mit {memory} Arbeitsspeicher.</translation>
    </message>
    <message>
        <source>16-bit numbers (bfloat16)</source>
        <translation>16-Bit-Zahlen (bfloat16)</translation>
    </message>
    <message>
        <source>16-bit numbers (float16)</source>
        <translation>16-Bit-Zahlen (float16)</translation>
    </message>
    <message>
        <source>computing intermediate results again instead of keeping them</source>
        <translation>Zwischenergebnisse neu berechnet statt aufbewahrt</translation>
    </message>
    <message>
        <source>rebuilding intermediate results backwards instead of keeping them</source>
        <translation>Zwischenergebnisse rückwärts rekonstruiert statt aufbewahrt</translation>
    </message>
    <message>
        <source>computing the loss in parts</source>
        <translation>Fehler (Loss) in Teilen berechnet</translation>
    </message>
    <message>
        <source>an 8-bit optimizer</source>
        <translation>8-Bit-Optimierer</translation>
    </message>
    <message>
        <source>the optimizer in main memory</source>
        <translation>Optimierer im Arbeitsspeicher</translation>
    </message>
</context>
<context>
    <name>PlayBar</name>
    <message>
        <source>Play the time-lapse</source>
        <translation>Zeitraffer abspielen</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Pause the time-lapse</source>
        <translation>Zeitraffer anhalten</translation>
    </message>
    <message>
        <source>Epoch {epoch}</source>
        <translation>Epoche {epoch}</translation>
    </message>
</context>
<context>
    <name>Plot</name>
    <message>
        <source>Nothing to show yet</source>
        <translation>Noch nichts zu zeigen</translation>
    </message>
</context>
<context>
    <name>Preferences</name>
    <message>
        <source>When to train</source>
        <translation>Wann trainiert wird</translation>
    </message>
    <message>
        <source>While you use the computer</source>
        <translation>Während du den Computer benutzt</translation>
    </message>
    <message>
        <source>Battery and heat</source>
        <translation>Akku und Wärme</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>Andere Programme</translation>
    </message>
    <message>
        <source>How much to use</source>
        <translation>Wie viel genutzt wird</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netzwerk</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Trainieren</translation>
    </message>
    <message>
        <source>Hours of the week</source>
        <translation>Trainingszeiten</translation>
    </message>
    <message>
        <source>Not in use after</source>
        <translation>Gilt als unbenutzt nach</translation>
    </message>
    <message>
        <source>Processor while in use</source>
        <translation>Prozessor bei Benutzung</translation>
    </message>
    <message>
        <source>GPU while in use</source>
        <translation>GPU bei Benutzung</translation>
    </message>
    <message>
        <source>Pause for full-screen applications</source>
        <translation>Bei Vollbildanwendungen pausieren</translation>
    </message>
    <message>
        <source>Pause for videos</source>
        <translation>Bei Videos pausieren</translation>
    </message>
    <message>
        <source>On battery</source>
        <translation>Im Akkubetrieb</translation>
    </message>
    <message>
        <source>Lowest charge</source>
        <translation>Mindestakkustand</translation>
    </message>
    <message>
        <source>Hottest processor</source>
        <translation>Höchste Prozessortemperatur</translation>
    </message>
    <message>
        <source>Hottest GPU</source>
        <translation>Höchste GPU-Temperatur</translation>
    </message>
    <message>
        <source>Processor used by others</source>
        <translation>Prozessorlast durch andere</translation>
    </message>
    <message>
        <source>GPU used by others</source>
        <translation>GPU-Last durch andere</translation>
    </message>
    <message>
        <source>Exclusive applications</source>
        <translation>Anwendungen mit Vorrang</translation>
    </message>
    <message>
        <source>Share of the time</source>
        <translation>Anteil der Zeit</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>Prozessor-Threads</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>Disk for runs</source>
        <translation>Speicherplatz für Projekte</translation>
    </message>
    <message>
        <source>Disk left free</source>
        <translation>Auf der Festplatte freihalten</translation>
    </message>
    <message>
        <source>Memory for training</source>
        <translation>Arbeitsspeicher fürs Training</translation>
    </message>
    <message>
        <source>Memory left free</source>
        <translation>Arbeitsspeicher freihalten</translation>
    </message>
    <message>
        <source>GPU memory for training</source>
        <translation>GPU-Speicher fürs Training</translation>
    </message>
    <message>
        <source>GPU memory for others</source>
        <translation>GPU-Speicher für andere</translation>
    </message>
    <message>
        <source>Stay in memory for</source>
        <translation>Im Speicher bleiben für</translation>
    </message>
    <message>
        <source>Free the GPU at every pause</source>
        <translation>GPU bei jeder Pause freigeben</translation>
    </message>
    <message>
        <source>Upload speed</source>
        <translation>Upload-Geschwindigkeit</translation>
    </message>
    <message>
        <source>Download speed</source>
        <translation>Download-Geschwindigkeit</translation>
    </message>
    <message>
        <source>Traffic in a month</source>
        <translation>Datenverkehr pro Monat</translation>
    </message>
    <message>
        <source>Pause on metered connections</source>
        <translation>Bei getakteten Verbindungen pausieren</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation>Bei der Anmeldung starten</translation>
    </message>
    <message>
        <source>“Always” ignores what is only for your convenience, and still respects what protects the computer and your bill: heat, memory, disk, lowest charge, metered connections and the month&apos;s traffic.</source>
        <translation>„Immer“ übergeht, was nur deiner Bequemlichkeit dient, beachtet aber weiterhin, was den Computer und deine Rechnung schützt: Wärme, Arbeitsspeicher, Festplatte, Mindestakkustand, getaktete Verbindungen und den Datenverkehr pro Monat.</translation>
    </message>
    <message>
        <source>The hours of the week in which to train, in local time.</source>
        <translation>Wann in der Woche trainiert wird, in Ortszeit.</translation>
    </message>
    <message>
        <source>How long keyboard and mouse must stay untouched before the computer counts as not in use.</source>
        <translation>Wie lange Tastatur und Maus unberührt bleiben müssen, bis der Computer als unbenutzt gilt.</translation>
    </message>
    <message>
        <source>What happens to training on the processor while you use the computer: it pauses, or goes on for this share of the time.</source>
        <translation>Was mit dem Training auf dem Prozessor geschieht, während du den Computer benutzt: Es pausiert oder läuft für diesen Anteil der Zeit weiter.</translation>
    </message>
    <message>
        <source>What happens to training on a GPU while you use the computer: it pauses, or goes on for this share of the time.</source>
        <translation>Was mit dem Training auf einer GPU geschieht, während du den Computer benutzt: Es pausiert oder läuft für diesen Anteil der Zeit weiter.</translation>
    </message>
    <message>
        <source>Pause while an application fills the screen, such as a game.</source>
        <translation>Pausieren, während eine Anwendung den Bildschirm füllt, etwa ein Spiel.</translation>
    </message>
    <message>
        <source>Pause while an application keeps the screen on, such as a video player.</source>
        <translation>Pausieren, während eine Anwendung den Bildschirm wach hält, etwa ein Videoplayer.</translation>
    </message>
    <message>
        <source>Whether training pauses while the computer runs on its battery.</source>
        <translation>Ob das Training pausiert, während der Computer im Akkubetrieb läuft.</translation>
    </message>
    <message>
        <source>Training pauses below this charge, where it is allowed on battery.</source>
        <translation>Unter diesem Akkustand pausiert das Training, sofern es im Akkubetrieb erlaubt ist.</translation>
    </message>
    <message>
        <source>Pause while the processor is hotter than this, until it has cooled by 5 °C.</source>
        <translation>Pausieren, sobald der Prozessor heißer ist, bis er um 5&#xa0;°C abgekühlt ist.</translation>
    </message>
    <message>
        <source>Pause while the GPU is hotter than this, until it has cooled by 5 °C.</source>
        <translation>Pausieren, sobald die GPU heißer ist, bis sie um 5&#xa0;°C abgekühlt ist.</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this of all processor cores.</source>
        <translation>Pausieren, während andere Programme mehr als diesen Anteil aller Prozessorkerne nutzen.</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this of the GPU that trains.</source>
        <translation>Pausieren, während andere Programme mehr als diesen Anteil der trainierenden GPU nutzen.</translation>
    </message>
    <message>
        <source>Nothing trains while one of these applications runs. Give the names of their programs.</source>
        <translation>Solange eine dieser Anwendungen läuft, wird nicht trainiert. Gib die Namen ihrer Programme an.</translation>
    </message>
    <message>
        <source>Never compute for more than this share of the time. Short breaks between steps make less heat and noise.</source>
        <translation>Nie länger als diesen Anteil der Zeit rechnen. Kurze Pausen zwischen den Schritten verringern Wärme und Lärm.</translation>
    </message>
    <message>
        <source>How many threads of the processor to train with. Automatic: all cores but one, or four beside a GPU.</source>
        <translation>Mit wie vielen Prozessor-Threads trainiert wird. Automatisch: alle Kerne bis auf einen, oder vier neben einer GPU.</translation>
    </message>
    <message>
        <source>Which GPUs may train, by their numbers, counted from 0 and separated by commas.</source>
        <translation>Welche GPUs trainieren dürfen: ihre Nummern, ab 0 gezählt und durch Kommas getrennt.</translation>
    </message>
    <message>
        <source>The most that runs may take of the disk.</source>
        <translation>So viel dürfen Projekte auf der Festplatte höchstens belegen.</translation>
    </message>
    <message>
        <source>Pause while less than this is free on the disk.</source>
        <translation>Pausieren, solange weniger auf der Festplatte frei ist.</translation>
    </message>
    <message>
        <source>The most memory (RAM) that training may take.</source>
        <translation>So viel Arbeitsspeicher (RAM) darf das Training höchstens belegen.</translation>
    </message>
    <message>
        <source>Give all memory back when less than this is left for other programs.</source>
        <translation>Den gesamten Speicher zurückgeben, wenn weniger für andere Programme übrig ist.</translation>
    </message>
    <message>
        <source>The most GPU memory that training may take.</source>
        <translation>So viel GPU-Speicher darf das Training höchstens belegen.</translation>
    </message>
    <message>
        <source>GPU memory kept for other programs. When they need more than that, training ends at once and gives all of its own back.</source>
        <translation>GPU-Speicher, der anderen Programmen vorbehalten bleibt. Brauchen sie mehr, endet das Training sofort und gibt seinen gesamten Speicher zurück.</translation>
    </message>
    <message>
        <source>How long a pause may last before training gives its memory back.</source>
        <translation>Wie lange eine Pause dauern darf, bevor das Training seinen Speicher zurückgibt.</translation>
    </message>
    <message>
        <source>Give GPU memory back at every pause. Going on then takes longer.</source>
        <translation>Den GPU-Speicher bei jeder Pause zurückgeben. Das Fortsetzen dauert dann länger.</translation>
    </message>
    <message>
        <source>The fastest that training may send.</source>
        <translation>So schnell darf das Training höchstens senden.</translation>
    </message>
    <message>
        <source>The fastest that training may receive.</source>
        <translation>So schnell darf das Training höchstens empfangen.</translation>
    </message>
    <message>
        <source>The most that training may send and receive together in a calendar month.</source>
        <translation>So viel darf das Training in einem Kalendermonat zusammen höchstens senden und empfangen.</translation>
    </message>
    <message>
        <source>Pause while the connection is metered, such as a phone&apos;s.</source>
        <translation>Pausieren, während die Verbindung getaktet ist, etwa über ein Smartphone.</translation>
    </message>
    <message>
        <source>Where other peers reach this computer. Automatic: any port that is free.</source>
        <translation>Über diesen Port erreichen andere Teilnehmer diesen Computer. Automatisch: ein beliebiger freier Port.</translation>
    </message>
    <message>
        <source>Start Idlebrush, in the background, when you log in.</source>
        <translation>Idlebrush im Hintergrund starten, wenn du dich am Computer anmeldest.</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Immer</translation>
    </message>
    <message>
        <source>As set here</source>
        <translation>Wie hier festgelegt</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>At all hours</source>
        <translation>Rund um die Uhr</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Unlimited</source>
        <translation>Unbegrenzt</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Ein</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
</context>
<context>
    <name>PreferencesPage</name>
    <message>
        <source>Search the preferences</source>
        <translation>Einstellungen durchsuchen</translation>
    </message>
    <message>
        <source>No such preference</source>
        <translation>Keine solche Einstellung</translation>
    </message>
    <message>
        <source>Try another word.</source>
        <translation>Versuche ein anderes Wort.</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
</context>
<context>
    <name>Privacy</name>
    <message>
        <source>Other volunteers</source>
        <translation>Andere Freiwillige</translation>
    </message>
    <message>
        <source>The run&apos;s coordinator</source>
        <translation>Der Koordinator des Projekts</translation>
    </message>
    <message>
        <source>Nobody</source>
        <translation>Niemand</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU by its memory), how fast you train, the gradients you send, and the user name by which you were admitted.</source>
        <translation>Deine IP-Adresse, eine zufällige Kennung (Peer-ID), die Art deiner Hardware (ein Prozessor oder eine GPU nach ihrem Speicher), wie schnell du trainierst, die Gradienten, die du sendest, und den Benutzernamen, mit dem du zugelassen wurdest.</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU by its memory), how fast you train, and the gradients you send. No name.</source>
        <translation>Deine IP-Adresse, eine zufällige Kennung (Peer-ID), die Art deiner Hardware (ein Prozessor oder eine GPU nach ihrem Speicher), wie schnell du trainierst, und die Gradienten, die du sendest. Keinen Namen.</translation>
    </message>
    <message>
        <source>Your user name and how much your computers do. It is on the leaderboard unless you hide it. The coordinator gets a proof made for it alone, and never your token.</source>
        <translation>Deinen Benutzernamen und wie viel deine Computer leisten. Er steht in der Rangliste, sofern du ihn nicht verbirgst. Der Koordinator erhält einen nur für ihn bestimmten Nachweis, nie dein Token.</translation>
    </message>
    <message>
        <source>That a computer with your address takes part, and how much it does.</source>
        <translation>Dass ein Computer mit deiner Adresse mitmacht und wie viel er leistet.</translation>
    </message>
    <message>
        <source>If you sign in: that you did. Your token stays on this computer and goes to nobody but the Hub. Data and files of a run that are kept on the Hub are fetched from there.</source>
        <translation>Wenn du dich anmeldest: dass du es getan hast. Dein Token bleibt auf diesem Computer und geht nur an den Hub. Daten und Dateien eines Projekts, die auf dem Hub liegen, werden von dort heruntergeladen.</translation>
    </message>
    <message>
        <source>Your files, what you type, which programs you use. To get out of your way, Idlebrush asks the system how long ago there was input, but not which. That, and the prompts and pictures of your gallery, never leave this computer.</source>
        <translation>Deine Dateien, was du tippst, welche Programme du benutzt. Um dir nicht im Weg zu sein, fragt Idlebrush das System, wie lange die letzte Eingabe her ist, aber nicht, welche es war. Das sowie die Texte und Bilder deiner Galerie verlassen diesen Computer nie.</translation>
    </message>
</context>
<context>
    <name>PrivacyCard</name>
    <message>
        <source>What others see</source>
        <translation>Was andere sehen</translation>
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
        <translation>Idlebrush läuft nicht im Hintergrund</translation>
    </message>
    <message>
        <source>Start it to train and to see how things stand.</source>
        <translation>Starte es, um zu trainieren und den Stand zu sehen.</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush antwortet nicht</translation>
    </message>
    <message>
        <source>Wait a moment. If it stays silent, restart it.</source>
        <translation>Warte einen Moment. Wenn es dann noch nicht antwortet, starte es neu.</translation>
    </message>
    <message>
        <source>Another version of Idlebrush is still running in the background</source>
        <translation>Eine andere Version von Idlebrush läuft noch im Hintergrund</translation>
    </message>
    <message>
        <source>Restart it to use this version.</source>
        <translation>Starte es neu, um diese Version zu benutzen.</translation>
    </message>
    <message>
        <source>The run does not let this computer take part</source>
        <translation>Das Projekt lässt diesen Computer nicht mitmachen</translation>
    </message>
    <message>
        <source>Idlebrush is already running</source>
        <translation>Idlebrush läuft schon</translation>
    </message>
    <message>
        <source>Idlebrush can no longer tell whether you are using the computer</source>
        <translation>Idlebrush erkennt nicht mehr, ob du den Computer benutzt</translation>
    </message>
    <message>
        <source>Start at login could not be changed</source>
        <translation>Der Start bei der Anmeldung konnte nicht geändert werden</translation>
    </message>
    <message>
        <source>A service of the desktop does not answer</source>
        <translation>Ein Dienst des Desktops antwortet nicht</translation>
    </message>
    <message>
        <source>A checkpoint of the run cannot be used</source>
        <translation>Ein Zwischenstand des Projekts kann nicht verwendet werden</translation>
    </message>
    <message>
        <source>The trainer cannot be kept going</source>
        <translation>Der Trainer lässt sich nicht in Gang halten</translation>
    </message>
    <message>
        <source>The run&apos;s image codec cannot be used</source>
        <translation>Der Bildcodec des Projekts kann nicht verwendet werden</translation>
    </message>
    <message>
        <source>The run&apos;s coordinator cannot be reached</source>
        <translation>Der Koordinator des Projekts ist nicht erreichbar</translation>
    </message>
    <message>
        <source>Idlebrush could not start in the background</source>
        <translation>Idlebrush konnte im Hintergrund nicht starten</translation>
    </message>
    <message>
        <source>What runs in the background is not yours</source>
        <translation>Was im Hintergrund läuft, gehört nicht dir</translation>
    </message>
    <message>
        <source>The run&apos;s training data cannot be used</source>
        <translation>Die Trainingsdaten des Projekts können nicht verwendet werden</translation>
    </message>
    <message>
        <source>The display does not answer as it should</source>
        <translation>Die Anzeige antwortet nicht wie erwartet</translation>
    </message>
    <message>
        <source>A download did not succeed</source>
        <translation>Ein Download ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>That is not a length of time</source>
        <translation>Das ist keine Zeitspanne</translation>
    </message>
    <message>
        <source>The folder cannot be used</source>
        <translation>Der Ordner kann nicht verwendet werden</translation>
    </message>
    <message>
        <source>The run does not let you in</source>
        <translation>Das Projekt lässt dich nicht zu</translation>
    </message>
    <message>
        <source>The pictures could not be drawn</source>
        <translation>Die Bilder konnten nicht gezeichnet werden</translation>
    </message>
    <message>
        <source>A training step went wrong, and was not used</source>
        <translation>Ein Trainingsschritt ist misslungen und wurde nicht verwendet</translation>
    </message>
    <message>
        <source>The Hugging Face Hub cannot be reached</source>
        <translation>Der Hugging Face Hub ist nicht erreichbar</translation>
    </message>
    <message>
        <source>This run cannot be joined</source>
        <translation>Diesem Projekt kannst du nicht beitreten</translation>
    </message>
    <message>
        <source>The keyring of your system does not work</source>
        <translation>Der Schlüsselbund deines Systems funktioniert nicht</translation>
    </message>
    <message>
        <source>The keyring of your system is locked</source>
        <translation>Der Schlüsselbund deines Systems ist gesperrt</translation>
    </message>
    <message>
        <source>The description of the run cannot be trusted</source>
        <translation>Die Projektbeschreibung ist nicht vertrauenswürdig</translation>
    </message>
    <message>
        <source>Your membership of the run has ended</source>
        <translation>Deine Mitgliedschaft im Projekt ist beendet</translation>
    </message>
    <message>
        <source>The memory that training needs cannot be planned</source>
        <translation>Der Speicherbedarf des Trainings lässt sich nicht planen</translation>
    </message>
    <message>
        <source>Your system has no keyring to keep the sign-in</source>
        <translation>Dein System hat keinen Schlüsselbund für die Anmeldung</translation>
    </message>
    <message>
        <source>The NVIDIA driver does not answer</source>
        <translation>Der NVIDIA-Treiber antwortet nicht</translation>
    </message>
    <message>
        <source>There is no NVIDIA driver</source>
        <translation>Es gibt keinen NVIDIA-Treiber</translation>
    </message>
    <message>
        <source>This preference cannot be used</source>
        <translation>Diese Einstellung ist ungültig</translation>
    </message>
    <message>
        <source>The pictures could not be ranked</source>
        <translation>Die Bilder konnten nicht bewertet werden</translation>
    </message>
    <message>
        <source>A receipt cannot be trusted</source>
        <translation>Eine Quittung ist nicht vertrauenswürdig</translation>
    </message>
    <message>
        <source>You are signed out</source>
        <translation>Du bist abgemeldet</translation>
    </message>
    <message>
        <source>The sign-in was not completed</source>
        <translation>Die Anmeldung wurde nicht abgeschlossen</translation>
    </message>
    <message>
        <source>What Idlebrush remembers could not be read or saved</source>
        <translation>Was Idlebrush sich merkt, konnte nicht gelesen oder gespeichert werden</translation>
    </message>
    <message>
        <source>The record of your contribution cannot be used</source>
        <translation>Die Aufzeichnung deines Beitrags kann nicht verwendet werden</translation>
    </message>
    <message>
        <source>The swarm cannot be reached</source>
        <translation>Der Schwarm ist nicht erreichbar</translation>
    </message>
    <message>
        <source>The run&apos;s tokenizer cannot be used</source>
        <translation>Der Tokenizer des Projekts kann nicht verwendet werden</translation>
    </message>
</context>
<context>
    <name>PromptForm</name>
    <message>
        <source>What to draw</source>
        <translation>Was gezeichnet werden soll</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Zeichnen</translation>
    </message>
    <message>
        <source>usual</source>
        <translation>üblich</translation>
    </message>
    <message>
        <source>a new one</source>
        <translation>ein neuer</translation>
    </message>
    <message>
        <source>What should it draw? Such as “{prompt}”</source>
        <extracomment>{prompt} is an example of what the model can draw, in the language of the run.</extracomment>
        <translation>Was soll es zeichnen? Zum Beispiel „{prompt}“</translation>
    </message>
    <message>
        <source>What should it draw?</source>
        <translation>Was soll es zeichnen?</translation>
    </message>
    <message>
        <source>More options</source>
        <translation>Mehr Optionen</translation>
    </message>
    <message>
        <source>Fewer options</source>
        <translation>Weniger Optionen</translation>
    </message>
    <message>
        <source>Pictures to draw</source>
        <translation>Bilder zeichnen</translation>
    </message>
    <message>
        <source>Best to keep</source>
        <translation>Beste behalten</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Lower is safer, higher more surprising</source>
        <translation>Niedriger ist sicherer, höher überraschender</translation>
    </message>
    <message>
        <source>Likeliest codes</source>
        <translation>Wahrscheinlichste Codes</translation>
    </message>
    <message>
        <source>Each piece of a picture is chosen from this many of the likeliest codes (top-k)</source>
        <translation>Jedes Bildstück wird unter so vielen der wahrscheinlichsten Codes ausgewählt (Top-k)</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>The same seed and words give the same pictures</source>
        <translation>Derselbe Startwert und dieselben Worte ergeben dieselben Bilder</translation>
    </message>
</context>
<context>
    <name>ProspectPanel</name>
    <message>
        <source>Trying the run out</source>
        <translation>Probelauf</translation>
    </message>
    <message>
        <source>Measure for a minute</source>
        <translation>Eine Minute lang messen</translation>
    </message>
    <message>
        <source>Stop measuring</source>
        <translation>Messung beenden</translation>
    </message>
    <message>
        <source>Learns to draw: {prompts}</source>
        <extracomment>{prompts} is a list such as &quot;red heart · pizza · rocket&quot;.</extracomment>
        <translation>Lernt zu zeichnen: {prompts}</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Erneut messen</translation>
    </message>
</context>
<context>
    <name>QrCode</name>
    <message>
        <source>QR code</source>
        <translation>QR-Code</translation>
    </message>
</context>
<context>
    <name>Queue</name>
    <message>
        <source>Waiting for its turn</source>
        <translation>Wartet, bis es an der Reihe ist</translation>
    </message>
    <message>
        <source>Drawn between steps of training</source>
        <translation>Wird zwischen Trainingsschritten gezeichnet</translation>
    </message>
    <message>
        <source>Paused, as training is</source>
        <translation>Pausiert, wie das Training</translation>
    </message>
    <message>
        <source>Drawn when nothing else needs the computer</source>
        <translation>Wird gezeichnet, wenn sonst nichts den Computer braucht</translation>
    </message>
    <message>
        <source>Drawn gently while you use the computer</source>
        <translation>Wird behutsam gezeichnet, während du den Computer benutzt</translation>
    </message>
    <message>
        <source>Being cancelled</source>
        <translation>Wird abgebrochen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln picture(s)</source>
        <translation>
            <numerusform>%Ln Bild</numerusform>
            <numerusform>%Ln Bilder</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QueueRow</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>QuitDialog</name>
    <message>
        <source>Quit Idlebrush</source>
        <translation>Idlebrush beenden</translation>
    </message>
    <message>
        <source>Time taken, of the longest that it may take</source>
        <translation>Bisherige Dauer, gemessen an der längsten erlaubten</translation>
    </message>
    <message>
        <source>&amp;Remember my answer</source>
        <translation>&amp;Antwort merken</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>A&amp;bbrechen</translation>
    </message>
    <message>
        <source>&amp;Stop training</source>
        <translation>Training be&amp;enden</translation>
    </message>
    <message>
        <source>&amp;Keep training</source>
        <translation>&amp;Weitertrainieren</translation>
    </message>
    <message>
        <source>Keep training while Idlebrush is closed?</source>
        <translation>Weitertrainieren, während Idlebrush geschlossen ist?</translation>
    </message>
    <message>
        <source>In the background, this computer goes on as your preferences say, and you see what it did when you come back.</source>
        <translation>Im Hintergrund macht dieser Computer nach deinen Einstellungen weiter, und wenn du wiederkommst, siehst du, was er getan hat.</translation>
    </message>
    <message>
        <source>Training stops</source>
        <translation>Das Training wird beendet</translation>
    </message>
    <message>
        <source>This computer is leaving the swarm. That takes a few seconds.</source>
        <translation>Dieser Computer verlässt den Schwarm. Das dauert ein paar Sekunden.</translation>
    </message>
    <message>
        <source>&amp;Do not wait</source>
        <translation>&amp;Nicht warten</translation>
    </message>
    <message>
        <source>&amp;Quit anyway</source>
        <translation>&amp;Trotzdem beenden</translation>
    </message>
</context>
<context>
    <name>RanksCard</name>
    <message>
        <source>My rank over time</source>
        <translation>Mein Platz im Zeitverlauf</translation>
    </message>
    <message>
        <source>It is looked up now and then while this computer trains.</source>
        <translation>Er wird ab und zu abgefragt, während dieser Computer trainiert.</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Platz</translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message>
        <source>your hours allow it again from {moment}</source>
        <translation>deine Trainingszeiten erlauben es wieder ab {moment}</translation>
    </message>
    <message>
        <source>{programs} fills the screen</source>
        <extracomment>{programs} is the name of a program, or several with commas between them.</extracomment>
        <translation>{programs} füllt den Bildschirm</translation>
    </message>
    <message>
        <source>{programs} must not be disturbed</source>
        <translation>{programs} darf nicht gestört werden</translation>
    </message>
    <message>
        <source>{programs} keeps the screen on</source>
        <translation>{programs} hält den Bildschirm wach</translation>
    </message>
    <message>
        <source>you have not agreed to train yet</source>
        <extracomment>All of these follow &quot;Paused: &quot; or &quot;Slowed to 50%: &quot;, and also stand alone, capitalised.</extracomment>
        <translation>du hast dem Training noch nicht zugestimmt</translation>
    </message>
    <message>
        <source>you chose never to train</source>
        <translation>du hast „Nie“ gewählt</translation>
    </message>
    <message>
        <source>you paused it until you resume</source>
        <translation>du hast das Training bis auf Weiteres pausiert</translation>
    </message>
    <message>
        <source>you paused it for a while</source>
        <translation>du hast das Training für eine Weile pausiert</translation>
    </message>
    <message>
        <source>another run is being tried out</source>
        <translation>ein anderes Projekt wird gerade ausprobiert</translation>
    </message>
    <message>
        <source>you are using the computer</source>
        <translation>du benutzt den Computer</translation>
    </message>
    <message>
        <source>an application fills the screen</source>
        <translation>eine Anwendung füllt den Bildschirm</translation>
    </message>
    <message>
        <source>one of your exclusive applications is running</source>
        <translation>eine deiner Anwendungen mit Vorrang läuft</translation>
    </message>
    <message>
        <source>an application keeps the screen on</source>
        <translation>eine Anwendung hält den Bildschirm wach</translation>
    </message>
    <message>
        <source>another program needs the memory of the GPU</source>
        <translation>ein anderes Programm braucht den Speicher der GPU</translation>
    </message>
    <message>
        <source>memory is short</source>
        <translation>der Arbeitsspeicher ist knapp</translation>
    </message>
    <message>
        <source>other programs keep the processor busy</source>
        <translation>andere Programme lasten den Prozessor aus</translation>
    </message>
    <message>
        <source>other programs keep the GPU busy</source>
        <translation>andere Programme lasten die GPU aus</translation>
    </message>
    <message>
        <source>the processor has to cool down</source>
        <translation>der Prozessor muss abkühlen</translation>
    </message>
    <message>
        <source>the GPU has to cool down</source>
        <translation>die GPU muss abkühlen</translation>
    </message>
    <message>
        <source>the computer runs on its battery</source>
        <translation>der Computer läuft im Akkubetrieb</translation>
    </message>
    <message>
        <source>the battery is low</source>
        <translation>der Akkustand ist niedrig</translation>
    </message>
    <message>
        <source>it is outside your hours</source>
        <translation>es ist außerhalb deiner Trainingszeiten</translation>
    </message>
    <message>
        <source>the network connection is metered</source>
        <translation>die Netzwerkverbindung ist getaktet</translation>
    </message>
    <message>
        <source>the traffic you allow in a month is used up</source>
        <translation>der Datenverkehr, den du pro Monat erlaubst, ist verbraucht</translation>
    </message>
    <message>
        <source>the disk is nearly full</source>
        <translation>die Festplatte ist fast voll</translation>
    </message>
    <message>
        <source>runs take as much of the disk as you allow</source>
        <translation>Projekte belegen so viel von der Festplatte, wie du erlaubst</translation>
    </message>
    <message>
        <source>you let it compute for only part of the time</source>
        <translation>du lässt es nur einen Teil der Zeit rechnen</translation>
    </message>
</context>
<context>
    <name>Row</name>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>Reset to the default</source>
        <translation>Auf Standard zurücksetzen</translation>
    </message>
    <message>
        <source>Reset “{preference}” to its default</source>
        <translation>„{preference}“ auf Standard zurücksetzen</translation>
    </message>
    <message>
        <source>{preference}: saved</source>
        <translation>{preference}: gespeichert</translation>
    </message>
</context>
<context>
    <name>RunPictures</name>
    <message>
        <source>Open the folder of the pictures</source>
        <translation>Bilderordner öffnen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>The run&apos;s pictures cannot be read</source>
        <translation>Die Bilder des Projekts können nicht gelesen werden</translation>
    </message>
    <message>
        <source>No pictures yet</source>
        <translation>Noch keine Bilder</translation>
    </message>
    <message>
        <source>Every few epochs the model draws the run&apos;s prompts. They will appear here.</source>
        <translation>Alle paar Epochen zeichnet das Modell die Motive des Projekts. Sie erscheinen hier.</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Noch kein Projekt</translation>
    </message>
    <message>
        <source>Choose a run, and watch its pictures get better here.</source>
        <translation>Wähle ein Projekt und sieh hier, wie seine Bilder besser werden.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Projekt wählen</translation>
    </message>
</context>
<context>
    <name>RunScreen</name>
    <message>
        <source>Choose a run</source>
        <translation>Projekt wählen</translation>
    </message>
    <message>
        <source>A run is one model that many computers train together, for weeks or months.</source>
        <translation>In einem Projekt trainieren viele Computer gemeinsam ein Modell, über Wochen oder Monate.</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>Auf diesem Computer</translation>
    </message>
    <message>
        <source>A small run, to try it out alone</source>
        <translation>Ein kleines Projekt, um es allein auszuprobieren</translation>
    </message>
    <message>
        <source>From a link</source>
        <translation>Über einen Link</translation>
    </message>
    <message>
        <source>From a run&apos;s website, or from a friend</source>
        <translation>Von der Website eines Projekts oder von Freunden</translation>
    </message>
    <message>
        <source>From a file</source>
        <translation>Aus einer Datei</translation>
    </message>
    <message>
        <source>A run&apos;s description, such as run.toml</source>
        <translation>Eine Projektbeschreibung, etwa run.toml</translation>
    </message>
    <message>
        <source>Looking at the run</source>
        <translation>Das Projekt wird geprüft</translation>
    </message>
    <message>
        <source>Looking at the run, and at what this computer can give…</source>
        <translation>Das Projekt wird geprüft und was dieser Computer leisten kann&#xa0;…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>This run is too large for this computer</source>
        <translation>Dieses Projekt ist zu groß für diesen Computer</translation>
    </message>
    <message>
        <source>This computer already trains this run.</source>
        <translation>Dieser Computer trainiert schon für dieses Projekt.</translation>
    </message>
</context>
<context>
    <name>SaveDialog</name>
    <message>
        <source>Save picture</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Bilder (*.png)</translation>
    </message>
</context>
<context>
    <name>Screen</name>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Clear the search</source>
        <translation>Suche leeren</translation>
    </message>
</context>
<context>
    <name>SignInScreen</name>
    <message>
        <source>Sign in, if you like</source>
        <translation>Melde dich an, wenn du möchtest</translation>
    </message>
    <message>
        <source>Some runs admit only people whom they know by their account on the Hugging Face Hub. Open runs, and the one that comes with Idlebrush, need no account: you can skip this, and sign in later.</source>
        <translation>Manche Projekte lassen nur Personen zu, die sie durch ihr Konto auf dem Hugging Face Hub kennen. Offene Projekte und das mitgelieferte brauchen kein Konto: Du kannst das überspringen und dich später anmelden.</translation>
    </message>
    <message>
        <source>With a code</source>
        <translation>Mit einem Code</translation>
    </message>
    <message>
        <source>With a token</source>
        <translation>Mit einem Token</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>You get a short code, and enter it in a browser, here or on your phone. Idlebrush never sees your password, and asks for nothing but your name.</source>
        <translation>Du erhältst einen kurzen Code und gibst ihn in einem Browser ein, hier oder auf deinem Smartphone. Idlebrush sieht nie dein Passwort und fragt nur nach deinem Namen.</translation>
    </message>
    <message>
        <source>Get a code</source>
        <translation>Code anfordern</translation>
    </message>
    <message>
        <source>Sign out</source>
        <translation>Abmelden</translation>
    </message>
    <message>
        <source>Get a new code</source>
        <translation>Neuen Code anfordern</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Only until Idlebrush ends</source>
        <translation>Nur bis Idlebrush beendet wird</translation>
    </message>
    <message>
        <source>In a file that only I can read</source>
        <translation>In einer Datei, die nur ich lesen kann</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot keep your sign-in</source>
        <translation>Der Schlüsselbund dieses Computers kann deine Anmeldung nicht aufbewahren</translation>
    </message>
    <message>
        <source>Unlock it and try again, or choose where else to keep the sign-in.</source>
        <translation>Entsperre ihn und versuche es erneut, oder wähle einen anderen Ort für die Anmeldung.</translation>
    </message>
    <message>
        <source>Asking for a code…</source>
        <translation>Ein Code wird angefordert&#xa0;…</translation>
    </message>
    <message>
        <source>Signed in as {name}</source>
        <translation>Angemeldet als {name}</translation>
    </message>
</context>
<context>
    <name>SingleApp</name>
    <message>
        <source>Idlebrush is already open, but does not answer.</source>
        <translation>Idlebrush ist schon geöffnet, antwortet aber nicht.</translation>
    </message>
    <message>
        <source>Wait a moment; if nothing changes, end process {pid} and start Idlebrush again.</source>
        <translation>Warte einen Moment. Wenn es dabei bleibt, beende den Prozess {pid} und starte Idlebrush neu.</translation>
    </message>
    <message>
        <source>The file {file} cannot be written.</source>
        <translation>Die Datei {file} kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>Free some space, or set IDLEBRUSH_HOME to a folder of yours.</source>
        <translation>Gib Speicherplatz frei, oder setze IDLEBRUSH_HOME auf einen eigenen Ordner.</translation>
    </message>
</context>
<context>
    <name>Snooze</name>
    <message>
        <source>15 minutes</source>
        <translation>Für 15 Minuten</translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>Für 1 Stunde</translation>
    </message>
    <message>
        <source>Until tomorrow</source>
        <translation>Bis morgen</translation>
    </message>
</context>
<context>
    <name>StatusChip</name>
    <message>
        <source>Not running</source>
        <translation>Nicht gestartet</translation>
    </message>
</context>
<context>
    <name>StepIndicator</name>
    <message>
        <source>Step {number} of {of}: {title}</source>
        <extracomment>Where one is in the first run, such as &quot;Step 2 of 5: Sign in&quot;.</extracomment>
        <translation>Schritt {number} von {of}: {title}</translation>
    </message>
</context>
<context>
    <name>StreakCard</name>
    <message>
        <source>Days in a row</source>
        <translation>Tage in Folge</translation>
    </message>
</context>
<context>
    <name>TimesScreen</name>
    <message>
        <source>When may it train?</source>
        <translation>Wann darf trainiert werden?</translation>
    </message>
    <message>
        <source>These are good to begin with. You can change them, and many more, at any time.</source>
        <translation>Diese Vorgaben sind ein guter Anfang. Du kannst sie und vieles mehr jederzeit ändern.</translation>
    </message>
    <message>
        <source>When to train</source>
        <translation>Wann trainiert wird</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Trainieren</translation>
    </message>
    <message>
        <source>“Always” goes on while you use the computer.</source>
        <translation>„Immer“ heißt auch, während du den Computer benutzt.</translation>
    </message>
    <message>
        <source>You are away after</source>
        <translation>Als abwesend giltst du nach</translation>
    </message>
    <message>
        <source>Without touching keyboard or mouse. When you come back, it stops at once.</source>
        <translation>Ohne Eingabe mit Tastatur oder Maus. Wenn du zurückkommst, hört es sofort auf.</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>Trainingszeiten</translation>
    </message>
    <message>
        <source>In local time.</source>
        <translation>In Ortszeit.</translation>
    </message>
    <message>
        <source>Heat and noise</source>
        <translation>Wärme und Lärm</translation>
    </message>
    <message>
        <source>With breaks between steps, the computer stays cooler and quieter.</source>
        <translation>Mit Pausen zwischen den Schritten bleibt der Computer kühler und leiser.</translation>
    </message>
    <message>
        <source>Train on battery</source>
        <translation>Im Akkubetrieb trainieren</translation>
    </message>
    <message>
        <source>Otherwise it waits until the computer is plugged in.</source>
        <translation>Sonst wartet es, bis der Computer am Netz hängt.</translation>
    </message>
    <message>
        <source>Start when I log in</source>
        <translation>Bei der Anmeldung starten</translation>
    </message>
    <message>
        <source>In the background, without a window.</source>
        <translation>Im Hintergrund, ohne Fenster.</translation>
    </message>
</context>
<context>
    <name>TokenPanel</name>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Show the token</source>
        <translation>Token zeigen</translation>
    </message>
    <message>
        <source>Check it and sign in</source>
        <translation>Prüfen und anmelden</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Wird geprüft&#xa0;…</translation>
    </message>
    <message>
        <source>Make a token</source>
        <translation>Ein Token erstellen</translation>
    </message>
    <message>
        <source>A read-only token is enough. It goes to the Hugging Face Hub and to nobody else.</source>
        <translation>Ein Token, das nur lesen darf, genügt. Es geht an den Hugging Face Hub und an niemanden sonst.</translation>
    </message>
    <message>
        <source>Hide the token</source>
        <translation>Token verbergen</translation>
    </message>
</context>
<context>
    <name>Tools</name>
    <message>
        <source>Find in the log</source>
        <translation>Im Protokoll suchen</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Neuen Zeilen folgen</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>Hinweise</translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s)</source>
        <translation>
            <numerusform>%Ln Zeile</numerusform>
            <numerusform>%Ln Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>Which log</source>
        <translation>Welches Protokoll</translation>
    </message>
    <message>
        <source>Which lines</source>
        <translation>Welche Zeilen</translation>
    </message>
    <message>
        <source>All lines</source>
        <translation>Alle Zeilen</translation>
    </message>
    <message>
        <source>Without details</source>
        <translation>Ohne Details</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>Warnungen und Fehler</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
</context>
<context>
    <name>TrayMenu</name>
    <message>
        <source>&amp;Open Idlebrush</source>
        <translation>Idlebrush &amp;öffnen</translation>
    </message>
    <message>
        <source>&amp;Finish this epoch</source>
        <translation>Diese &amp;Epoche abschließen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Snooze</source>
        <translation>&amp;Zeitweise pausieren</translation>
    </message>
    <message>
        <source>Training &amp;mode</source>
        <translation>Trainings&amp;modus</translation>
    </message>
    <message>
        <source>&amp;Always</source>
        <translation>&amp;Immer</translation>
    </message>
    <message>
        <source>As my &amp;preferences say</source>
        <translation>&amp;Wie in den Einstellungen</translation>
    </message>
    <message>
        <source>&amp;Never</source>
        <translation>&amp;Nie</translation>
    </message>
    <message>
        <source>&amp;Gallery</source>
        <translation>&amp;Galerie</translation>
    </message>
    <message>
        <source>My &amp;contribution</source>
        <translation>Mein Bei&amp;trag</translation>
    </message>
    <message>
        <source>Pr&amp;eferences</source>
        <translation>Einste&amp;llungen</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pause</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>Erneut &amp;versuchen</translation>
    </message>
    <message>
        <source>&amp;Start in the background</source>
        <translation>Im Hintergrund &amp;starten</translation>
    </message>
    <message>
        <source>&amp;Restart in the background</source>
        <translation>Im Hintergrund neu st&amp;arten</translation>
    </message>
    <message>
        <source>&amp;Snoozed until {moment}</source>
        <translation>Pa&amp;usiert bis {moment}</translation>
    </message>
</context>
<context>
    <name>Trouble</name>
    <message>
        <source>Idlebrush is starting</source>
        <translation>Idlebrush startet</translation>
    </message>
    <message>
        <source>Idlebrush does not run in the background</source>
        <translation>Idlebrush läuft nicht im Hintergrund</translation>
    </message>
    <message>
        <source>Nothing is trained until you start it.</source>
        <translation>Es wird nicht trainiert, bis du es startest.</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush antwortet nicht</translation>
    </message>
    <message>
        <source>The computer may be very busy. What you see is what it last said.</source>
        <translation>Der Computer ist vielleicht stark ausgelastet. Du siehst den zuletzt gemeldeten Stand.</translation>
    </message>
    <message>
        <source>Another version of Idlebrush runs in the background</source>
        <translation>Eine andere Version von Idlebrush läuft im Hintergrund</translation>
    </message>
    <message>
        <source>Restart it so that both are the same version. Training goes on after that.</source>
        <translation>Starte es neu, damit beide dieselbe Version haben. Danach geht das Training weiter.</translation>
    </message>
    <message>
        <source>Idlebrush runs as another user</source>
        <translation>Idlebrush läuft unter einem anderen Benutzer</translation>
    </message>
    <message>
        <source>Idlebrush could not be started</source>
        <translation>Idlebrush konnte nicht gestartet werden</translation>
    </message>
    <message>
        <source>Start it</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Restart it</source>
        <translation>Neu starten</translation>
    </message>
</context>
<context>
    <name>Viewer</name>
    <message>
        <source>Back to all pictures</source>
        <translation>Zurück zu allen Bildern</translation>
    </message>
    <message>
        <source>Previous picture</source>
        <translation>Voriges Bild</translation>
    </message>
    <message>
        <source>Next picture</source>
        <translation>Nächstes Bild</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Welcome</source>
        <translation>Willkommen</translation>
    </message>
    <message>
        <source>Let&apos;s begin</source>
        <translation>Los geht’s</translation>
    </message>
    <message>
        <source>Your computer can help a machine learn to paint</source>
        <translation>Dein Computer kann einer Maschine helfen, malen zu lernen</translation>
    </message>
    <message>
        <source>While you are away, Idlebrush trains one model together with other people&apos;s computers. It turns words into pictures, and you can watch it get better.</source>
        <translation>Während du weg bist, trainiert Idlebrush gemeinsam mit den Computern anderer ein Modell. Es macht aus Worten Bilder, und du kannst zusehen, wie es besser wird.</translation>
    </message>
    <message>
        <source>What it will do</source>
        <translation>Was Idlebrush tut</translation>
    </message>
    <message>
        <source>What it won&apos;t do</source>
        <translation>Was Idlebrush nicht tut</translation>
    </message>
    <message>
        <source>Give the computer back at once when you return to it.</source>
        <translation>Den Computer sofort zurückgeben, wenn du wiederkommst.</translation>
    </message>
    <message>
        <source>Rest on battery, during games and videos, and when the computer gets hot.</source>
        <translation>Im Akkubetrieb, bei Spielen und Videos und bei Hitze pausieren.</translation>
    </message>
    <message>
        <source>Keep to the limits that you set for heat, noise, memory and bandwidth.</source>
        <translation>Die Grenzen einhalten, die du für Wärme, Lärm, Speicher und Bandbreite setzt.</translation>
    </message>
    <message>
        <source>Train anything before you have agreed to it, at the end of these five steps.</source>
        <translation>Etwas trainieren, bevor du am Ende dieser fünf Schritte zugestimmt hast.</translation>
    </message>
    <message>
        <source>Read or send your files. Others see this computer&apos;s Internet address and its speed.</source>
        <translation>Deine Dateien lesen oder senden. Andere sehen nur die Internetadresse dieses Computers und sein Tempo.</translation>
    </message>
    <message>
        <source>Run programs that others send. Computers exchange numbers, and nothing else.</source>
        <translation>Programme ausführen, die andere senden. Die Computer tauschen nur Zahlen aus.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Gallery</source>
        <translation>Galerie</translation>
    </message>
    <message>
        <source>My contribution</source>
        <translation>Mein Beitrag</translation>
    </message>
    <message>
        <source>Leaderboard</source>
        <translation>Rangliste</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Über Idlebrush</translation>
    </message>
</context>
<context>
    <name>_Entry</name>
    <message>
        <source>{page} (Ctrl+{number})</source>
        <translation>{page} (Strg+{number})</translation>
    </message>
</context>
<context>
    <name>_PeerId</name>
    <message>
        <source>Copy the peer ID</source>
        <translation>Peer-ID kopieren</translation>
    </message>
    <message>
        <source>Peer ID of this computer</source>
        <translation>Peer-ID dieses Computers</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>_Pinned</name>
    <message>
        <source>Your row</source>
        <translation>Deine Zeile</translation>
    </message>
</context>
<context>
    <name>_Tag</name>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
</context>
</TS>
