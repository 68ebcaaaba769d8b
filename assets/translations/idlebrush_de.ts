<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>AboutHeader</name>
    <message>
        <source>Website of the run</source>
        <translation>Website des Projekts</translation>
    </message>
    <message>
        <source>Handbook</source>
        <translation>Handbuch</translation>
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
        <source>Idle computers together train a model that draws pictures or writes text.</source>
        <translation>Ungenutzte Computer trainieren gemeinsam ein Modell, das Bilder malt oder Texte schreibt.</translation>
    </message>
</context>
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
        <source>This computer cannot train yet</source>
        <translation>Dieser Computer kann noch nicht trainieren</translation>
    </message>
    <message>
        <source>Waiting: the download of the packages for training is paused</source>
        <translation>Wartet: Der Download der Pakete für das Training ist angehalten</translation>
    </message>
    <message>
        <source>Waiting: the packages for training are being installed</source>
        <translation>Wartet: Die Pakete für das Training werden installiert</translation>
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
        <source>Waiting: downloading the earlier checkpoint from which the run continues</source>
        <translation>Wartet: Der frühere Zwischenstand, mit dem das Projekt weitergeht, wird heruntergeladen</translation>
    </message>
    <message>
        <source>Waiting: no other computer has sent the state from which the run continues</source>
        <translation>Wartet: Noch kein anderer Computer hat den Stand gesendet, von dem an das Projekt weitergeht</translation>
    </message>
    <message>
        <source>Waiting: other computers are ahead, and none of them can send its state to this one</source>
        <translation>Wartet: Andere Computer sind weiter, und keiner von ihnen kann diesem seinen Stand senden</translation>
    </message>
    <message>
        <source>Waiting: no computer of this run accepts connections</source>
        <translation>Wartet: Kein Computer dieses Projekts nimmt Verbindungen an</translation>
    </message>
    <message>
        <source>Waiting: the other computers of this run cannot be reached</source>
        <translation>Wartet: Die anderen Computer dieses Projekts sind nicht erreichbar</translation>
    </message>
    <message>
        <source>Waiting: most computers at this epoch do not answer, so it cannot be agreed on</source>
        <translation>Wartet: Die meisten Computer dieser Epoche antworten nicht, daher gibt es keine Einigung über sie</translation>
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
    <name>AddComputerDialog</name>
    <message>
        <source>Add a computer</source>
        <translation>Computer hinzufügen</translation>
    </message>
    <message>
        <source>On the other computer, open My computers and choose “Let another computer control this one…”. It shows its address and a code.</source>
        <translation>Auf dem anderen Computer „Meine Computer“ öffnen und „Diesen Computer von einem anderen steuern lassen …“ wählen. Er zeigt dann seine Adresse und einen Code.</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>192.168.1.7:47320</source>
        <translation>192.168.1.7:47320</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>ABCD-2345</source>
        <translation>ABCD-2345</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>A&amp;bbrechen</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>Pairing…</source>
        <translation>Wird gekoppelt …</translation>
    </message>
</context>
<context>
    <name>AlbumCard</name>
    <message>
        <source>Use this prompt again</source>
        <translation>Diesen Text noch einmal verwenden</translation>
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
        <source>All pictures were kept because they could not be ranked. {reason}</source>
        <extracomment>{reason} is a whole English sentence.</extracomment>
        <translation>Alle Bilder wurden behalten, weil sie sich nicht bewerten ließen. {reason}</translation>
    </message>
    <message>
        <source>the model that comes with Idlebrush, epoch {epoch} of {run}</source>
        <translation>das mitgelieferte Modell, Epoche {epoch} von {run}</translation>
    </message>
    <message>
        <source>epoch {epoch} of {run}</source>
        <extracomment>{run} is the title of a run.</extracomment>
        <translation>Epoche {epoch} von {run}</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
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
        <source>Most likely codes</source>
        <translation>Wahrscheinlichste Codes</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>Führung</translation>
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
        <source>{number} {currency}</source>
        <extracomment>An amount of money, such as &quot;1.25 EUR&quot;.</extracomment>
        <translation>{number} {currency}</translation>
    </message>
    <message>
        <source>{number} g</source>
        <translation>{number} g</translation>
    </message>
    <message>
        <source>{number} kg</source>
        <translation>{number} kg</translation>
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
        <source>Idlebrush notifies you when you are signed out, when something needs your attention, when you reach your best rank, and when a run is complete.</source>
        <translation>Idlebrush benachrichtigt dich, wenn du abgemeldet wurdest, deine Aufmerksamkeit gefragt ist, du deinen bisher besten Platz erreichst oder ein Projekt abgeschlossen ist.</translation>
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
        <source>This applies if the desktop has a system tray.</source>
        <translation>Das gilt, wenn der Desktop einen Infobereich hat.</translation>
    </message>
    <message>
        <source>When you close the window</source>
        <translation>Beim Schließen des Fensters</translation>
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
        <source>Training can continue in the background.</source>
        <translation>Das Training kann im Hintergrund weiterlaufen.</translation>
    </message>
    <message>
        <source>When you quit the app</source>
        <translation>Beim Beenden der App</translation>
    </message>
</context>
<context>
    <name>BadgeWidget</name>
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
        <source>Contributed %Ln hour(s) of computing time</source>
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
        <source>Thirty nights</source>
        <translation>Dreißig Nächte</translation>
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
        <source>%Ln value(s) from {start} to {end}. The highest is {high} at {best}. Use the arrow keys to read single values.</source>
        <translation>
            <numerusform>%Ln Wert von {start} bis {end}. Der höchste ist {high} bei {best}. Mit den Pfeiltasten kannst du einzelne Werte vorlesen lassen.</numerusform>
            <numerusform>%Ln Werte von {start} bis {end}. Der höchste ist {high} bei {best}. Mit den Pfeiltasten kannst du einzelne Werte vorlesen lassen.</numerusform>
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
        <source>Computing time</source>
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
    <name>CalendarCard</name>
    <message>
        <source>The last 12 months</source>
        <translation>Die letzten 12 Monate</translation>
    </message>
    <message>
        <source>Measure of the days</source>
        <translation>Messgröße der Tage</translation>
    </message>
</context>
<context>
    <name>CalendarGrid</name>
    <message>
        <source>The last 12 months</source>
        <translation>Die letzten 12 Monate</translation>
    </message>
    <message>
        <source>Use the arrow keys to read single days.</source>
        <translation>Mit den Pfeiltasten lassen sich einzelne Tage vorlesen.</translation>
    </message>
</context>
<context>
    <name>CandidatePanel</name>
    <message>
        <source>Speed test</source>
        <translation>Geschwindigkeitstest</translation>
    </message>
    <message>
        <source>Measure the speed</source>
        <translation>Geschwindigkeit messen</translation>
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
        <source>What is shown here comes from the run itself. If you do not expect that, ask the keeper of the list.</source>
        <translation>Was hier steht, kommt vom Projekt selbst. Ist das unerwartet, bitte beim Betreiber der Liste nachfragen.</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Erneut messen</translation>
    </message>
</context>
<context>
    <name>ChartCard</name>
    <message>
        <source>Over time</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messgröße</translation>
    </message>
</context>
<context>
    <name>CodePanel</name>
    <message>
        <source>Enter this code on that page:</source>
        <translation>Gib auf dieser Seite diesen Code ein:</translation>
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
        <source>Continue in your browser at {address}.</source>
        <translation>Mach in deinem Browser unter {address} weiter.</translation>
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
    <name>ComputerCard</name>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>Zeitweise pausieren</translation>
    </message>
    <message>
        <source>Train always</source>
        <translation>Immer trainieren</translation>
    </message>
    <message>
        <source>According to its preferences</source>
        <translation>Wie in seinen Einstellungen</translation>
    </message>
    <message>
        <source>Never train</source>
        <translation>Nie trainieren</translation>
    </message>
    <message>
        <source>Remove this computer…</source>
        <translation>Diesen Computer entfernen …</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>{action}: {name}</source>
        <extracomment>{action} is the text of a button, {name} the name of a computer.</extracomment>
        <translation>{action}: {name}</translation>
    </message>
    <message>
        <source>When to train</source>
        <translation>Wann trainiert wird</translation>
    </message>
</context>
<context>
    <name>Computers</name>
    <message>
        <source>This computer</source>
        <translation>Dieser Computer</translation>
    </message>
    <message>
        <source>{name} (this computer)</source>
        <extracomment>{name} is the name of this computer.</extracomment>
        <translation>{name} (dieser Computer)</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background</source>
        <translation>Idlebrush läuft nicht im Hintergrund</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindung wird hergestellt …</translation>
    </message>
    <message>
        <source>Not reached since {moment}</source>
        <translation>Nicht erreicht seit {moment}</translation>
    </message>
    <message>
        <source>Last seen {moment}: {state}</source>
        <extracomment>{state} is what the computer did then, such as &quot;Training&quot;.</extracomment>
        <translation>Zuletzt gesehen {moment}: {state}</translation>
    </message>
    <message>
        <source>Epoch {epoch}</source>
        <translation>Epoche {epoch}</translation>
    </message>
    <message>
        <source>Trained for {percent} of today</source>
        <translation>Heute {percent} der Zeit trainiert</translation>
    </message>
    <message>
        <source>{name}, connected from {address}</source>
        <extracomment>{name} is a computer, {address} its address in the network.</extracomment>
        <translation>{name}, verbunden von {address}</translation>
    </message>
    <message>
        <source>Off: no other computer can see or control this one. Turning it on opens a port for paired computers alone.</source>
        <translation>Aus: Kein anderer Computer kann diesen sehen oder steuern. Beim Einschalten wird ein Port geöffnet, nur für gekoppelte Computer.</translation>
    </message>
    <message>
        <source>On, but no other computer is paired yet.</source>
        <translation>Ein, aber noch ist kein anderer Computer gekoppelt.</translation>
    </message>
    <message>
        <source>These computers can see what this one does, pause and resume it, and change its preferences:</source>
        <translation>Diese Computer können sehen, was dieser tut, ihn pausieren und fortsetzen und seine Einstellungen ändern:</translation>
    </message>
    <message>
        <source>Valid for {duration}</source>
        <translation>Noch {duration} gültig</translation>
    </message>
    <message>
        <source>{name} can control this computer from now on.</source>
        <translation>{name} kann diesen Computer ab jetzt steuern.</translation>
    </message>
    <message>
        <source>The code was wrong too often. No computer was paired.</source>
        <translation>Der Code war zu oft falsch. Es wurde kein Computer gekoppelt.</translation>
    </message>
    <message>
        <source>The code has expired. No computer was paired.</source>
        <translation>Der Code ist abgelaufen. Es wurde kein Computer gekoppelt.</translation>
    </message>
    <message>
        <source>The code was withdrawn.</source>
        <translation>Der Code wurde zurückgezogen.</translation>
    </message>
</context>
<context>
    <name>ComputersPage</name>
    <message>
        <source>Add a computer…</source>
        <translation>Computer hinzufügen …</translation>
    </message>
    <message>
        <source>{name} can be controlled from this computer.</source>
        <extracomment>{name} is the name of a computer.</extracomment>
        <translation>{name} lässt sich von diesem Computer aus steuern.</translation>
    </message>
    <message>
        <source>Remove {name}?</source>
        <extracomment>{name} is the name of a computer.</extracomment>
        <translation>{name} entfernen?</translation>
    </message>
    <message>
        <source>This computer can no longer control it. It goes on as it does now.</source>
        <translation>Dieser Computer kann ihn dann nicht mehr steuern. Der andere macht weiter wie bisher.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>It can no longer control this computer. If it is connected, that ends at once.</source>
        <translation>Er kann diesen Computer dann nicht mehr steuern. Eine bestehende Verbindung endet sofort.</translation>
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
        <source>Next</source>
        <translation>Weiter</translation>
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
        <source>This is what Idlebrush does if you agree.</source>
        <translation>Das tut Idlebrush, wenn du zustimmst.</translation>
    </message>
    <message>
        <source>I have compared the key {key} with the one that the organiser published.</source>
        <extracomment>{key} is a row of letters and digits.</extracomment>
        <translation>Ich habe den Schlüssel {key} mit dem verglichen, den die Projektleitung veröffentlicht hat.</translation>
    </message>
    <message>
        <source>This computer trains when you are away</source>
        <translation>Dieser Computer trainiert, wenn du weg bist</translation>
    </message>
    <message>
        <source>You have joined the run</source>
        <translation>Du bist dem Projekt beigetreten</translation>
    </message>
    <message>
        <source>Before this computer can train, one more download is needed.</source>
        <translation>Bevor dieser Computer trainieren kann, ist noch ein Download nötig.</translation>
    </message>
    <message>
        <source>Setup is complete. Idlebrush stays in the system tray. Open it to watch the pictures improve.</source>
        <translation>Die Einrichtung ist abgeschlossen. Idlebrush bleibt im Infobereich. Öffne es, um zu sehen, wie die Bilder besser werden.</translation>
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
        <source>Period</source>
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
        <source>Runs shown</source>
        <translation>Angezeigte Projekte</translation>
    </message>
    <message>
        <source>Your contribution counts from the first epoch in which this computer takes part.</source>
        <translation>Dein Beitrag zählt ab der ersten Epoche, an der dieser Computer mitwirkt.</translation>
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
    <message>
        <source>{samples}, {time}</source>
        <extracomment>Samples and computing time of one day, such as &quot;1,204 samples, 2 h 15 min&quot;.</extracomment>
        <translation>{samples}, {time}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s) with a contribution.</source>
        <translation>
            <numerusform>%Ln Tag mit einem Beitrag.</numerusform>
            <numerusform>%Ln Tage mit einem Beitrag.</numerusform>
        </translation>
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
        <source>Since you started</source>
        <translation>Seit du dabei bist</translation>
    </message>
    <message>
        <source>Computing time</source>
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
        <source>Cost of the energy</source>
        <translation>Kosten der Energie</translation>
    </message>
    <message>
        <source>CO2 of the energy</source>
        <translation>CO2 der Energie</translation>
    </message>
    <message>
        <source>Contribute on two consecutive days to start a streak.</source>
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
    <name>ControlCard</name>
    <message>
        <source>Control of this computer</source>
        <translation>Steuerung dieses Computers</translation>
    </message>
    <message>
        <source>Let paired computers control this one</source>
        <translation>Steuerung durch gekoppelte Computer zulassen</translation>
    </message>
    <message>
        <source>Let another computer control this one…</source>
        <translation>Diesen Computer von einem anderen steuern lassen …</translation>
    </message>
    <message>
        <source>Key of this computer: {fingerprint}</source>
        <extracomment>{fingerprint} is such as &quot;ftze-jazc-ug7v-7g6c-4lbn-zhtv&quot;.</extracomment>
        <translation>Schlüssel dieses Computers: {fingerprint}</translation>
    </message>
    <message>
        <source>Remove {name}…</source>
        <extracomment>{name} is the name of a computer.</extracomment>
        <translation>{name} entfernen …</translation>
    </message>
</context>
<context>
    <name>EmbeddedPanel</name>
    <message>
        <source>Try it with a swarm</source>
        <translation>Mit einem Schwarm ausprobieren</translation>
    </message>
    <message>
        <source>This run learns in minutes rather than months. It learns things, colours, numbers and places, and to combine them in pictures that it never saw, such as a fox on a green square. No other computer takes part, and no data leaves this computer.</source>
        <translation>Dieses Projekt lernt in Minuten statt in Monaten. Es lernt Dinge, Farben, Anzahlen und Orte, und sie zu Bildern zu verbinden, die es nie gesehen hat, zum Beispiel ein Fuchs auf einem grünen Quadrat. Kein anderer Computer macht mit, und keine Daten verlassen diesen Computer.</translation>
    </message>
    <message>
        <source>On Windows, a swarm on this computer is not possible yet.</source>
        <translation>Unter Windows ist ein Schwarm auf diesem Computer noch nicht möglich.</translation>
    </message>
    <message>
        <source>A swarm on this computer is possible once the packages for training are installed.</source>
        <translation>Ein Schwarm auf diesem Computer ist möglich, sobald die Pakete zum Trainieren installiert sind.</translation>
    </message>
    <message>
        <source>A swarm on this computer needs a second processor core.</source>
        <translation>Ein Schwarm auf diesem Computer braucht einen zweiten Prozessorkern.</translation>
    </message>
    <message>
        <source>A swarm on this computer needs more RAM than is free now.</source>
        <translation>Ein Schwarm auf diesem Computer braucht mehr RAM, als jetzt frei ist.</translation>
    </message>
    <message>
        <source>This computer then runs what an organiser runs: a coordinator with a website and a leaderboard, and a second computer&apos;s trainer. All of it stays here, and you can remove it at any time.</source>
        <translation>Dieser Computer betreibt dann, was sonst die Projektleitung betreibt: einen Koordinator mit Website und Rangliste, und den Trainer eines zweiten Computers. Alles bleibt hier, und Sie können es jederzeit entfernen.</translation>
    </message>
</context>
<context>
    <name>EpochCard</name>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>The swarm&apos;s progress appears here once training has started.</source>
        <translation>Der Fortschritt des Schwarms erscheint hier, sobald das Training begonnen hat.</translation>
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
    <name>ExtentControl</name>
    <message>
        <source>Simple</source>
        <translation>Einfach</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Which preferences to show</source>
        <translation>Welche Einstellungen gezeigt werden</translation>
    </message>
</context>
<context>
    <name>FilePanel</name>
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
        <source>Descriptions of runs (*.idlebrush *.toml)</source>
        <translation>Projektbeschreibungen (*.idlebrush *.toml)</translation>
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
        <source>This text is too long for a token. Copy only the token.</source>
        <translation>Dieser Text ist zu lang für ein Token. Kopiere nur das Token.</translation>
    </message>
    <message>
        <source>This text contains characters that a token cannot contain. Copy only the token.</source>
        <translation>Dieser Text enthält Zeichen, die in Tokens nicht vorkommen. Kopiere nur das Token.</translation>
    </message>
    <message>
        <source>Your sign-in is stored in this computer&apos;s keyring.</source>
        <translation>Deine Anmeldung wird im Schlüsselbund dieses Computers aufbewahrt.</translation>
    </message>
    <message>
        <source>Your sign-in is stored until Idlebrush quits.</source>
        <translation>Deine Anmeldung bleibt gespeichert, bis Idlebrush beendet wird.</translation>
    </message>
    <message>
        <source>Your sign-in is stored in a file that only you can read.</source>
        <translation>Deine Anmeldung wird in einer Datei aufbewahrt, die nur du lesen kannst.</translation>
    </message>
    <message>
        <source>This sign-in has expired.</source>
        <translation>Diese Anmeldung ist abgelaufen.</translation>
    </message>
    <message>
        <source>Valid for another {time}.</source>
        <extracomment>{time} is such as &quot;9 min 30 s&quot;.</extracomment>
        <translation>Noch {time} gültig.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Projekt</translation>
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
        <source>At most about {size} in each direction for the updates that the run has left ({updates}).</source>
        <translation>Höchstens etwa {size} je Richtung für die Aktualisierungen, die das Projekt noch vor sich hat ({updates}).</translation>
    </message>
    <message>
        <source>About {size} in each direction for the updates that the run has left ({updates}).</source>
        <translation>Etwa {size} je Richtung für die Aktualisierungen, die das Projekt noch vor sich hat ({updates}).</translation>
    </message>
    <message>
        <source>At most about {size} in each direction per day of uninterrupted training.</source>
        <translation>Höchstens etwa {size} je Richtung und Tag, wenn ohne Pause trainiert wird.</translation>
    </message>
    <message>
        <source>About {size} in each direction per day of uninterrupted training.</source>
        <translation>Etwa {size} je Richtung und Tag, wenn ohne Pause trainiert wird.</translation>
    </message>
    <message>
        <source>This is for {computers} computers and an update every {pace}: the newest pace of the run, as its website reports it, with this computer added.</source>
        <extracomment>{pace} is a duration such as &quot;15 s&quot;; there are two computers at least.</extracomment>
        <translation>Das gilt für {computers} Computer und eine Aktualisierung alle {pace}: das neueste Tempo des Projekts laut seiner Website, mit diesem Computer dazu.</translation>
    </message>
    <message>
        <source>This is for {computers} computers and an update every {pace}. The run&apos;s rules allow no faster pace.</source>
        <translation>Das gilt für {computers} Computer und eine Aktualisierung alle {pace}. Die Regeln des Projekts erlauben kein schnelleres Tempo.</translation>
    </message>
    <message>
        <source>This is for {computers} computers like this one, with an update every {pace}. The run&apos;s real pace is not known: it is more if the run is faster, and less if it is slower.</source>
        <translation>Das gilt für {computers} Computer wie diesen mit einer Aktualisierung alle {pace}. Das wirkliche Tempo des Projekts ist nicht bekannt: Ist es schneller, wird es mehr, ist es langsamer, weniger.</translation>
    </message>
    <message>
        <source>This is for {computers} computers and an update every {pace}. The run&apos;s real pace is not known: it is more if the run is faster, and less if it is slower.</source>
        <translation>Das gilt für {computers} Computer und eine Aktualisierung alle {pace}. Das wirkliche Tempo des Projekts ist nicht bekannt: Ist es schneller, wird es mehr, ist es langsamer, weniger.</translation>
    </message>
    <message>
        <source>You join this run in addition to {titles}. The runs take turns.</source>
        <extracomment>{titles} are the names of runs, with commas between them.</extracomment>
        <translation>Dieses Projekt kommt zu {titles} hinzu. Die Projekte wechseln sich ab.</translation>
    </message>
    <message>
        <source>In addition</source>
        <translation>Zusätzlich</translation>
    </message>
    <message>
        <source>You can pause or stop training at any time from the tray icon.</source>
        <translation>Über das Symbol im Infobereich kannst du das Training jederzeit pausieren oder beenden.</translation>
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
        <source>Downloading the run&apos;s files: {share}, {size} left.</source>
        <extracomment>{share} is such as &quot;42%&quot;, {size} such as &quot;1.2 GB&quot;.</extracomment>
        <translation>Projektdateien werden heruntergeladen: {share}, noch {size}.</translation>
    </message>
    <message>
        <source>Leave the setup for now?</source>
        <translation>Einrichtung jetzt verlassen?</translation>
    </message>
    <message>
        <source>Training starts only after you join a run. You can join one later from the window.</source>
        <translation>Das Training beginnt erst, wenn du einem Projekt beitrittst. Das kannst du später im Fenster nachholen.</translation>
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
        <source>its organiser</source>
        <translation>seine Projektleitung</translation>
    </message>
    <message>
        <source>its title</source>
        <translation>sein Titel</translation>
    </message>
    <message>
        <source>who may join</source>
        <translation>wer beitreten darf</translation>
    </message>
    <message>
        <source>the size of its model</source>
        <translation>die Größe seines Modells</translation>
    </message>
    <message>
        <source>its traffic</source>
        <translation>sein Datenverkehr</translation>
    </message>
    <message>
        <source>the memory that it needs</source>
        <translation>der Speicher, den es braucht</translation>
    </message>
    <message>
        <source>its download</source>
        <translation>sein Download</translation>
    </message>
    <message>
        <source>The run says otherwise than the list about {subjects}.</source>
        <extracomment>{subjects} is a list such as &quot;its title, who may join and its traffic&quot;.</extracomment>
        <translation>Das Projekt macht hierzu andere Angaben als die Liste: {subjects}.</translation>
    </message>
    <message>
        <source>This run comes with Idlebrush and trains on this computer only.</source>
        <translation>Dieses Projekt gehört zu Idlebrush und trainiert nur auf diesem Computer.</translation>
    </message>
    <message>
        <source>This run has no website. Its key is {key}.</source>
        <translation>Dieses Projekt hat keine Website. Sein Schlüssel ist {key}.</translation>
    </message>
    <message>
        <source>{where}, with the key {key}</source>
        <extracomment>{where} is a website, {key} a row of letters and digits.</extracomment>
        <translation>{where}, mit dem Schlüssel {key}</translation>
    </message>
    <message>
        <source>Nothing. All files of the run are already on this computer.</source>
        <translation>Nichts. Alle Dateien des Projekts sind schon auf diesem Computer.</translation>
    </message>
    <message>
        <source>{size}, once, before training starts.</source>
        <translation>{size}, einmalig, bevor das Training beginnt.</translation>
    </message>
    <message>
        <source>None. No other computer takes part.</source>
        <translation>Keiner. Kein anderer Computer macht mit.</translation>
    </message>
    <message>
        <source>None. The run has made all of its updates.</source>
        <translation>Keiner. Das Projekt hat alle seine Aktualisierungen gemacht.</translation>
    </message>
    <message>
        <source>If other computers can connect to this one, it can be up to {size}, and the model&apos;s state for each new computer that fetches it from here.</source>
        <translation>Wenn andere Computer sich mit diesem verbinden können, können es bis zu {size} sein, dazu der Stand des Modells für jeden neuen Computer, der ihn von hier holt.</translation>
    </message>
    <message>
        <source>You can set limits in the preferences.</source>
        <translation>In den Einstellungen kannst du Grenzen festlegen.</translation>
    </message>
    <message>
        <source>At first, this computer fetches the model&apos;s state from others: {size}.</source>
        <translation>Zu Beginn holt dieser Computer den Stand des Modells von anderen: {size}.</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>No address of the run answers. You can join, but this computer trains only once one of them answers. Check the Internet connection. If it works, ask the organiser whether the run continues.</source>
        <translation>Keine Adresse des Projekts antwortet. Du kannst beitreten, aber dieser Computer trainiert erst, wenn eine davon antwortet. Prüfe die Internetverbindung. Wenn sie funktioniert, frage die Projektleitung, ob das Projekt weitergeht.</translation>
    </message>
    <message>
        <source>This computer reaches the run over {protocols}. Whether other computers can connect to this one is found out when training starts.</source>
        <extracomment>{protocols} is &quot;IPv4&quot;, &quot;IPv6&quot;, or both.</extracomment>
        <translation>Dieser Computer erreicht das Projekt über {protocols}. Ob sich andere Computer mit diesem verbinden können, zeigt sich beim Start des Trainings.</translation>
    </message>
    <message>
        <source>IPv4 and IPv6</source>
        <translation>IPv4 und IPv6</translation>
    </message>
    <message>
        <source>Nothing. None of your files is read or sent.</source>
        <translation>Nichts. Keine deiner Dateien wird gelesen oder gesendet.</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address, its training speed, and your user name, which you can hide on the run&apos;s pages. None of your files is read or sent.</source>
        <translation>Die Internetadresse dieses Computers, seine Trainingsgeschwindigkeit und deinen Benutzernamen, den du auf den Seiten des Projekts verbergen kannst. Keine deiner Dateien wird gelesen oder gesendet.</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address and its training speed, under a random name. None of your files is read or sent.</source>
        <translation>Die Internetadresse dieses Computers und seine Trainingsgeschwindigkeit, unter einem zufälligen Namen. Keine deiner Dateien wird gelesen oder gesendet.</translation>
    </message>
    <message>
        <source>Loading the run for the speed test. This can take a while on a busy computer…</source>
        <translation>Das Projekt wird für den Geschwindigkeitstest geladen. Auf einem ausgelasteten Computer kann das eine Weile dauern&#xa0;…</translation>
    </message>
    <message>
        <source>Measuring the training speed of this computer…</source>
        <translation>Die Trainingsgeschwindigkeit dieses Computers wird gemessen&#xa0;…</translation>
    </message>
    <message>
        <source>Measure how fast this computer trains. The test takes a minute.</source>
        <translation>Miss, wie schnell dieser Computer trainiert. Der Test dauert eine Minute.</translation>
    </message>
    <message>
        <source>About {rate} samples per hour. The model is updated every {duration} with the samples of all computers together.</source>
        <extracomment>{rate} is a number, {duration} is such as &quot;4 min&quot;; samples are pictures with their descriptions.</extracomment>
        <translation>Etwa {rate} Beispiele pro Stunde. Das Modell wird im Abstand von {duration} mit den Beispielen aller Computer zusammen aktualisiert.</translation>
    </message>
    <message>
        <source>About {rate} samples per hour. Each update of the model needs {target} samples from all computers together.</source>
        <extracomment>{rate} is a number; the model learns from samples: pictures with their descriptions.</extracomment>
        <translation>Etwa {rate} Beispiele pro Stunde. Jede Aktualisierung des Modells braucht {target} Beispiele von allen Computern zusammen.</translation>
    </message>
    <message>
        <source>This run admits members of {organisation} on the Hugging Face Hub.</source>
        <translation>Dieses Projekt lässt Mitglieder von {organisation} auf dem Hugging Face Hub zu.</translation>
    </message>
    <message>
        <source>This run admits people on the organiser&apos;s list.</source>
        <translation>Dieses Projekt lässt alle zu, die auf der Liste der Projektleitung stehen.</translation>
    </message>
    <message>
        <source>This run admits people with an invitation from the organiser.</source>
        <translation>Dieses Projekt lässt alle zu, die eine Einladung der Projektleitung haben.</translation>
    </message>
    <message>
        <source>This run admits anyone who signs in with the Hugging Face Hub.</source>
        <translation>Dieses Projekt lässt alle zu, die sich beim Hugging Face Hub anmelden.</translation>
    </message>
    <message>
        <source>You sign in at {hub}. The sign-in proves your identity to {coordinator} only. The organiser learns your user name and gets no access to your account.</source>
        <translation>Du meldest dich bei {hub} an. Die Anmeldung weist deine Identität nur gegenüber {coordinator} nach. Die Projektleitung erfährt deinen Benutzernamen, erhält aber keinen Zugriff auf dein Konto.</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background.</source>
        <translation>Idlebrush läuft nicht im Hintergrund.</translation>
    </message>
    <message>
        <source>The sign-in is still in progress.</source>
        <translation>Die Anmeldung läuft noch.</translation>
    </message>
    <message>
        <source>Choose a run first.</source>
        <translation>Wähle zuerst ein Projekt.</translation>
    </message>
    <message>
        <source>Inspecting the run. One moment.</source>
        <translation>Das Projekt wird geprüft. Einen Moment.</translation>
    </message>
    <message>
        <source>Choose a run that you can join.</source>
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
        <source>Half of the time (cooler and quieter)</source>
        <translation>Die halbe Zeit (kühler und leiser)</translation>
    </message>
    <message>
        <source>A quarter of the time (hardly noticeable)</source>
        <translation>Ein Viertel der Zeit (kaum zu merken)</translation>
    </message>
    <message>
        <source>Custom: {value}</source>
        <extracomment>{value} is what was set elsewhere, such as &quot;mon-fri 18:00-08:00&quot;.</extracomment>
        <translation>Eigener Wert: {value}</translation>
    </message>
    <message>
        <source>This computer trains whenever your preferences allow it.</source>
        <translation>Dieser Computer trainiert immer, wenn deine Einstellungen es erlauben.</translation>
    </message>
    <message>
        <source>This computer always trains, even while you use it.</source>
        <translation>Dieser Computer trainiert immer, auch während du ihn benutzt.</translation>
    </message>
    <message>
        <source>This computer does not train until you allow it.</source>
        <translation>Dieser Computer trainiert erst, wenn du es erlaubst.</translation>
    </message>
    <message>
        <source>This computer trains after {idle} without input. Hours: {hours}.</source>
        <extracomment>{idle} is such as &quot;3 min&quot;; {hours} is such as &quot;At any hour&quot;, &quot;At night&quot;.</extracomment>
        <translation>Dieser Computer trainiert, sobald er {idle} lang nicht benutzt wurde. Trainingszeiten: {hours}.</translation>
    </message>
    <message>
        <source>Training pauses only when the computer is hot or low on battery or memory.</source>
        <translation>Das Training pausiert nur, wenn der Computer heiß wird oder Akku oder Speicher knapp werden.</translation>
    </message>
    <message>
        <source>This computer also trains on battery.</source>
        <translation>Dieser Computer trainiert auch im Akkubetrieb.</translation>
    </message>
    <message>
        <source>Training pauses on battery, during games and videos, and when the computer is hot.</source>
        <translation>Das Training pausiert im Akkubetrieb, bei Spielen und Videos und wenn der Computer zu heiß wird.</translation>
    </message>
    <message>
        <source>Training uses at most {share} of the time.</source>
        <extracomment>{share} is such as &quot;50%&quot;.</extracomment>
        <translation>Das Training nutzt höchstens {share} der Zeit.</translation>
    </message>
    <message>
        <source>Idlebrush starts when you log in.</source>
        <translation>Idlebrush startet, wenn du dich am Computer anmeldest.</translation>
    </message>
    <message>
        <source>Idlebrush starts when you open it.</source>
        <translation>Idlebrush startet, wenn du es öffnest.</translation>
    </message>
    <message>
        <source>Welcome to Idlebrush</source>
        <translation>Willkommen bei Idlebrush</translation>
    </message>
    <message>
        <source>Packages for training</source>
        <translation>Pakete für das Training</translation>
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
    <name>FoundRuns</name>
    <message>
        <source>This run is over.</source>
        <translation>Dieses Projekt ist zu Ende.</translation>
    </message>
    <message>
        <source>The graphics card of this computer can train it.</source>
        <translation>Die Grafikkarte dieses Computers kann es trainieren.</translation>
    </message>
    <message>
        <source>The processor of this computer can train it.</source>
        <translation>Der Prozessor dieses Computers kann es trainieren.</translation>
    </message>
    <message>
        <source>It needs more memory than this computer has free.</source>
        <translation>Es braucht mehr Speicher, als auf diesem Computer frei ist.</translation>
    </message>
    <message>
        <source>no sign-in needed</source>
        <translation>ohne Anmeldung</translation>
    </message>
    <message>
        <source>for anyone with a Hugging Face account</source>
        <translation>für alle mit einem Konto bei Hugging Face</translation>
    </message>
    <message>
        <source>for members of an organisation</source>
        <translation>für Mitglieder einer Organisation</translation>
    </message>
    <message>
        <source>for users on the organiser&apos;s list</source>
        <translation>für Benutzer auf der Liste der Projektleitung</translation>
    </message>
    <message>
        <source>by invitation</source>
        <translation>auf Einladung</translation>
    </message>
    <message>
        <source>{size} a day each way</source>
        <extracomment>{size} is an amount of data such as &quot;3 GB&quot;.</extracomment>
        <translation>{size} am Tag in jede Richtung</translation>
    </message>
    <message>
        <source>volunteers: {count}</source>
        <extracomment>{count} is a number.</extracomment>
        <translation>Freiwillige: {count}</translation>
    </message>
    <message>
        <source>Show the run</source>
        <translation>Projekt ansehen</translation>
    </message>
    <message>
        <source>Show {run}</source>
        <extracomment>{run} is the title of a run.</extracomment>
        <translation>{run} ansehen</translation>
    </message>
    <message>
        <source>Reading the lists…</source>
        <translation>Die Listen werden gelesen…</translation>
    </message>
    <message>
        <source>Lists of runs are kept by people whom you trust, such as a club or a website. Add one by its address and the key that its keeper publishes. You see each run before you join it.</source>
        <translation>Listen von Projekten führen Menschen, denen Sie vertrauen, etwa ein Verein oder eine Website. Fügen Sie eine mit ihrer Adresse und dem Schlüssel hinzu, den ihr Betreiber veröffentlicht. Sie sehen jedes Projekt, bevor Sie beitreten.</translation>
    </message>
    <message>
        <source>There is no run on your lists.</source>
        <translation>Auf Ihren Listen steht kein Projekt.</translation>
    </message>
    <message>
        <source>This is what the lists say. The run&apos;s own facts follow before you join.</source>
        <translation>Das sagen die Listen. Die eigenen Angaben des Projekts folgen, bevor Sie beitreten.</translation>
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
        <source>Pictures shown</source>
        <translation>Angezeigte Bilder</translation>
    </message>
</context>
<context>
    <name>GatePanel</name>
    <message>
        <source>Only members can train this run</source>
        <translation>Bei diesem Projekt können nur Mitglieder trainieren</translation>
    </message>
    <message>
        <source>Invitation code</source>
        <translation>Einladungscode</translation>
    </message>
    <message>
        <source>Sign in with the browser</source>
        <translation>Im Browser anmelden</translation>
    </message>
    <message>
        <source>Use a code instead</source>
        <translation>Stattdessen Code verwenden</translation>
    </message>
    <message>
        <source>You are admitted to this run.</source>
        <translation>Du bist zu diesem Projekt zugelassen.</translation>
    </message>
    <message>
        <source>Only until Idlebrush quits</source>
        <translation>Nur bis Idlebrush beendet wird</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot store your membership</source>
        <translation>Der Schlüsselbund dieses Computers kann deine Mitgliedschaft nicht aufbewahren</translation>
    </message>
    <message>
        <source>Unlock the keyring and try again, or sign in only until Idlebrush quits.</source>
        <translation>Entsperre den Schlüsselbund und versuche es erneut, oder melde dich nur an, bis Idlebrush beendet wird.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
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
    <name>HiddenChangesNote</name>
    <message numerus="yes">
        <source>%Ln more setting(s) differ from the default</source>
        <translation>
            <numerusform>%Ln weitere Einstellung weicht vom Standard ab</numerusform>
            <numerusform>%Ln weitere Einstellungen weichen vom Standard ab</numerusform>
        </translation>
    </message>
    <message>
        <source>Show them</source>
        <translation>Anzeigen</translation>
    </message>
</context>
<context>
    <name>HoursEditor</name>
    <message>
        <source>Drag to select hours, or move with the arrow keys and press Space. You can also type the hours into the field.</source>
        <translation>Wähle Stunden mit gedrückter Maustaste aus, oder bewege dich mit den Pfeiltasten und drücke die Leertaste. Du kannst die Zeiten auch in das Feld eingeben.</translation>
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
    <name>JoinedRunRow</name>
    <message>
        <source>Share: </source>
        <translation>Anteil: </translation>
    </message>
    <message>
        <source>Leave…</source>
        <translation>Verlassen …</translation>
    </message>
    <message>
        <source>Share of {title}</source>
        <translation>Anteil von {title}</translation>
    </message>
    <message>
        <source>Its part of the time is its share divided by the sum of all shares.</source>
        <translation>Sein Teil der Zeit ist sein Anteil, geteilt durch die Summe aller Anteile.</translation>
    </message>
    <message>
        <source>Leave {title}</source>
        <translation>{title} verlassen</translation>
    </message>
</context>
<context>
    <name>JoinedRuns</name>
    <message>
        <source>It has its turn.</source>
        <translation>Es ist an der Reihe.</translation>
    </message>
    <message>
        <source>It waits for its turn.</source>
        <translation>Es wartet, bis es an der Reihe ist.</translation>
    </message>
    <message>
        <source>It trains only while no other run can.</source>
        <translation>Es trainiert nur, solange kein anderes Projekt trainieren kann.</translation>
    </message>
    <message>
        <source>It has done all of its epochs.</source>
        <translation>Es hat alle seine Epochen abgeschlossen.</translation>
    </message>
    <message>
        <source>It needs a newer version of Idlebrush.</source>
        <translation>Es braucht eine neuere Version von Idlebrush.</translation>
    </message>
    <message>
        <source>It does not admit you, or asks you to sign in.</source>
        <translation>Es verweigert die Zulassung oder verlangt eine Anmeldung.</translation>
    </message>
    <message>
        <source>It needs more memory than training may use.</source>
        <translation>Es braucht mehr Speicher, als das Training nutzen darf.</translation>
    </message>
    <message>
        <source>Its trainer fails again and again.</source>
        <translation>Sein Trainer fällt immer wieder aus.</translation>
    </message>
    <message>
        <source>Its other computers do not answer.</source>
        <translation>Seine anderen Computer antworten nicht.</translation>
    </message>
    <message>
        <source>Its files are missing.</source>
        <translation>Seine Dateien fehlen.</translation>
    </message>
    <message>
        <source>Next attempt: {moment}.</source>
        <extracomment>{moment} is a time of the day, or a day and a time.</extracomment>
        <translation>Nächster Versuch: {moment}.</translation>
    </message>
    <message>
        <source>{part} of the time by its share · {week} of the last 7 days · {time} in all</source>
        <extracomment>{part} and {week} are such as &quot;25%&quot;, {time} is such as &quot;3 h 20 min&quot;.</extracomment>
        <translation>{part} der Zeit nach seinem Anteil · {week} der letzten 7 Tage · insgesamt {time}</translation>
    </message>
    <message>
        <source>Leave {title}?</source>
        <translation>{title} verlassen?</translation>
    </message>
    <message>
        <source>This computer no longer trains it. Its files and what you contributed are kept, and you can join again.</source>
        <translation>Dieser Computer trainiert dann nicht mehr für dieses Projekt. Dessen Dateien und der bisherige Beitrag bleiben erhalten, und ein erneuter Beitritt ist möglich.</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Verlassen</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Bleiben</translation>
    </message>
</context>
<context>
    <name>JoinedRunsCard</name>
    <message>
        <source>Your runs</source>
        <translation>Meine Projekte</translation>
    </message>
    <message>
        <source>This computer can train several runs in turns, each for its share of the time.</source>
        <translation>Dieser Computer kann abwechselnd für mehrere Projekte trainieren, für jedes nach seinem Anteil der Zeit.</translation>
    </message>
    <message>
        <source>Join another run</source>
        <translation>Einem weiteren Projekt beitreten</translation>
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
        <source>Copy prompt and seed</source>
        <translation>Text und Startwert kopieren</translation>
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
        <source>The picture is copied to the clipboard</source>
        <translation>Das Bild wurde in die Zwischenablage kopiert</translation>
    </message>
    <message>
        <source>Prompt and seed are copied to the clipboard</source>
        <translation>Text und Startwert wurden in die Zwischenablage kopiert</translation>
    </message>
</context>
<context>
    <name>LeaderboardPage</name>
    <message>
        <source>Volunteers</source>
        <translation>Freiwillige</translation>
    </message>
    <message>
        <source>Teams</source>
        <translation>Teams</translation>
    </message>
    <message>
        <source>Ranks of</source>
        <translation>Rangliste für</translation>
    </message>
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
        <source>Period</source>
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
        <source>You are ranked {rank} of {total}.</source>
        <translation>Du bist auf Platz {rank} von {total}.</translation>
    </message>
    <message>
        <source>Volunteers so far: {total}. This run has no sign-in, so your row is unknown.</source>
        <translation>Freiwillige bisher: {total}. Dieses Projekt hat keine Anmeldung. Deine Zeile ist deshalb nicht bekannt.</translation>
    </message>
    <message>
        <source>Teams so far: {total}. Join one, and your samples count for it from then on; they stay with it.</source>
        <translation>Teams bisher: {total}. Wer einem beitritt, dessen Beispiele zählen von da an für das Team; sie bleiben bei ihm.</translation>
    </message>
    <message>
        <source>Your team {name} is ranked {rank} of {total}.</source>
        <translation>Eigenes Team {name}: Platz {rank} von {total}.</translation>
    </message>
    <message>
        <source>You lead it: your page on the website renames it or hands it over.</source>
        <translation>Du leitest es: Auf deiner Seite der Website kannst du es umbenennen oder übergeben.</translation>
    </message>
    <message>
        <source>Samples of yours that are not credited: {count}.</source>
        <translation>Beispiele von dir, die nicht angerechnet werden: {count}.</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Nicht verbunden</translation>
    </message>
    <message>
        <source>The leaderboard appears here once Idlebrush runs in the background.</source>
        <translation>Die Rangliste erscheint hier, sobald Idlebrush im Hintergrund läuft.</translation>
    </message>
    <message>
        <source>You have not joined a run yet</source>
        <translation>Du bist noch keinem Projekt beigetreten</translation>
    </message>
    <message>
        <source>Join a run to compare your contribution with others.</source>
        <translation>Tritt einem Projekt bei, um deinen Beitrag mit anderen zu vergleichen.</translation>
    </message>
    <message>
        <source>This run has no leaderboard</source>
        <translation>Dieses Projekt hat keine Rangliste</translation>
    </message>
    <message>
        <source>The organiser does not count contributions. This computer counts yours on the page My contribution.</source>
        <translation>Die Projektleitung zählt die Beiträge nicht. Dieser Computer zählt deinen auf der Seite „Mein Beitrag“.</translation>
    </message>
    <message>
        <source>No volunteers yet</source>
        <translation>Noch keine Freiwilligen</translation>
    </message>
    <message>
        <source>The leaderboard starts with the first completed epoch.</source>
        <translation>Die Rangliste beginnt mit der ersten abgeschlossenen Epoche.</translation>
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
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Licence text</source>
        <translation>Lizenztext</translation>
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
        <source>The embedded run: sources</source>
        <translation>Das mitgelieferte Projekt: Quellen</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Bibliotheken</translation>
    </message>
    <message>
        <source>The app is built with Qt, by the Qt Company and contributors, and with Qt for Python (PySide6). Idlebrush uses both under the GNU Lesser General Public License, version 3. Both are installed as separate files. You may replace them with your own versions and reverse-engineer them to debug your changes.

Licence: https://www.gnu.org/licenses/lgpl-3.0.html
Source code: https://download.qt.io/official_releases/QtForPython/</source>
        <translation>Die App ist mit Qt, von der Qt Company und Mitwirkenden, und mit Qt for Python (PySide6) gebaut. Idlebrush verwendet beide unter der GNU Lesser General Public License, Version 3. Beide sind als eigene Dateien installiert. Du darfst sie durch eigene Versionen ersetzen und zurückentwickeln (Reverse Engineering), um Fehler in deinen Änderungen zu finden.

Lizenz: https://www.gnu.org/licenses/lgpl-3.0.html
Quelltexte: https://download.qt.io/official_releases/QtForPython/</translation>
    </message>
    <message>
        <source>see the package</source>
        <translation>siehe das Paket</translation>
    </message>
</context>
<context>
    <name>LineChart</name>
    <message>
        <source>From {first} at {start} to {last} at {end}. The lowest is {low}, the highest {high}. Use the arrow keys to read single values.</source>
        <translation>Von {first} bei {start} bis {last} bei {end}. Der niedrigste Wert ist {low}, der höchste {high}. Mit den Pfeiltasten kannst du einzelne Werte vorlesen lassen.</translation>
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
        <translation>Link des Projekts</translation>
    </message>
    <message>
        <source>Show the run</source>
        <translation>Projekt ansehen</translation>
    </message>
    <message>
        <source>This is not a link to a run. Links to runs begin with idlebrush: or https://</source>
        <translation>Das ist kein Link zu einem Projekt. Links zu Projekten beginnen mit idlebrush: oder https://</translation>
    </message>
</context>
<context>
    <name>ListPanel</name>
    <message>
        <source>Address of a list of runs</source>
        <translation>Adresse einer Liste von Projekten</translation>
    </message>
    <message>
        <source>Its key</source>
        <translation>Ihr Schlüssel</translation>
    </message>
    <message>
        <source>Key of the list&apos;s keeper</source>
        <translation>Schlüssel des Betreibers der Liste</translation>
    </message>
    <message>
        <source>Add this list</source>
        <translation>Diese Liste hinzufügen</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>Alle Projekte</translation>
    </message>
    <message>
        <source>Enter the address of the list and the key that its keeper publishes.</source>
        <translation>Geben Sie die Adresse der Liste und den Schlüssel ein, den ihr Betreiber veröffentlicht.</translation>
    </message>
    <message>
        <source>Remove this list</source>
        <translation>Diese Liste entfernen</translation>
    </message>
    <message>
        <source>Remove {list}</source>
        <extracomment>{list} is the title of a list of runs.</extracomment>
        <translation>{list} entfernen</translation>
    </message>
</context>
<context>
    <name>LocalSwarm</name>
    <message>
        <source>It does not run now. Its model and its website are kept.</source>
        <translation>Er läuft gerade nicht. Sein Modell und seine Website bleiben erhalten.</translation>
    </message>
    <message>
        <source>Its coordinator is being started.</source>
        <translation>Sein Koordinator wird gestartet.</translation>
    </message>
    <message>
        <source>It is served by a terminal. This app goes on with it afterwards.</source>
        <translation>Ein Terminal betreibt ihn. Danach macht diese App damit weiter.</translation>
    </message>
    <message>
        <source>This computer runs a coordinator with a website and a leaderboard, and a second trainer beside your own. No other computer takes part.</source>
        <translation>Auf diesem Computer laufen ein Koordinator mit Website und Rangliste und ein zweiter Trainer neben Ihrem eigenen. Kein anderer Computer nimmt teil.</translation>
    </message>
    <message>
        <source>Stop and remove the swarm on this computer?</source>
        <translation>Den Schwarm auf diesem Computer beenden und entfernen?</translation>
    </message>
    <message>
        <source>Its model, its website and its leaderboard are deleted. Your pictures are kept.</source>
        <translation>Sein Modell, seine Website und seine Rangliste werden gelöscht. Ihre Bilder bleiben erhalten.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
</context>
<context>
    <name>LocalSwarmCard</name>
    <message>
        <source>The swarm on this computer</source>
        <translation>Der Schwarm auf diesem Computer</translation>
    </message>
    <message>
        <source>Open its website</source>
        <translation>Seine Website öffnen</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Stop and remove…</source>
        <translation>Beenden und entfernen…</translation>
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
        <source>New lines appear here.</source>
        <translation>Neue Zeilen erscheinen hier.</translation>
    </message>
    <message>
        <source>Copies the selected lines, or all lines shown</source>
        <translation>Kopiert die ausgewählten oder alle angezeigten Zeilen</translation>
    </message>
    <message>
        <source>Full text of the selected lines</source>
        <translation>Die ausgewählten Zeilen in voller Länge</translation>
    </message>
</context>
<context>
    <name>LogTools</name>
    <message>
        <source>Find in the log</source>
        <translation>Im Protokoll suchen</translation>
    </message>
    <message>
        <source>Follow new lines</source>
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
        <source>Log file</source>
        <translation>Protokolldatei</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
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
    <name>LogView</name>
    <message>
        <source>Lines of the log</source>
        <translation>Zeilen des Protokolls</translation>
    </message>
</context>
<context>
    <name>LossCurve</name>
    <message>
        <source>Loss by epoch</source>
        <translation>Fehler (Loss) nach Epochen</translation>
    </message>
    <message>
        <source>The curve starts with the swarm&apos;s first epoch.</source>
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
        <source>Now {loss}, at the start {first}</source>
        <translation>Jetzt {loss}, am Anfang {first}</translation>
    </message>
</context>
<context>
    <name>Mosaic</name>
    <message>
        <source>A sunset over the sea in small brush strokes, which emerges from noise</source>
        <translation>Ein Sonnenuntergang über dem Meer in kleinen Pinselstrichen, der aus dem Rauschen entsteht</translation>
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
    <name>NewsCard</name>
    <message>
        <source>News from the organiser</source>
        <translation>Neues von der Projektleitung</translation>
    </message>
</context>
<context>
    <name>NewsDialog</name>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>What&apos;s new in Idlebrush {version}</source>
        <translation>Neu in Idlebrush {version}</translation>
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
        <source>The packages for training are not installed.</source>
        <translation>Die Pakete für das Training sind nicht installiert.</translation>
    </message>
    <message>
        <source>You are ranked {rank} of {of} in “{run}”.</source>
        <translation>Du bist auf Platz {rank} von {of} bei „{run}“.</translation>
    </message>
    <message>
        <source>Your best rank so far</source>
        <translation>Dein bisher bester Platz</translation>
    </message>
    <message>
        <source>“{run}” has completed all of its epochs. Open the gallery to see its pictures.</source>
        <translation>„{run}“ hat alle Epochen abgeschlossen. Öffne die Galerie, um die Bilder anzusehen.</translation>
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
        <source>Join a run. This computer then helps to train a model whenever you do not need it.</source>
        <translation>Tritt einem Projekt bei. Dieser Computer hilft dann, ein Modell zu trainieren, wann immer du ihn nicht brauchst.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Projekt wählen</translation>
    </message>
    <message>
        <source>This page shows what Idlebrush does once it runs in the background.</source>
        <translation>Diese Seite zeigt, was Idlebrush tut, sobald es im Hintergrund läuft.</translation>
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
    <message>
        <source>Show updates</source>
        <translation>Aktualisierungen anzeigen</translation>
    </message>
</context>
<context>
    <name>NowView</name>
    <message>
        <source>Training waits for data {percent} of the time</source>
        <translation>Das Training wartet {percent} der Zeit auf Daten</translation>
    </message>
    <message>
        <source>The connection or its speed limit is too slow for this computer.</source>
        <translation>Die Verbindung oder ihre Geschwindigkeitsgrenze ist zu langsam für diesen Computer.</translation>
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
        <source>Samples so far: {gathered}</source>
        <extracomment>{gathered} is a number. The clock ends this epoch, whatever was gathered.</extracomment>
        <translation>Beispiele bisher: {gathered}</translation>
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
        <source>About {duration} left</source>
        <translation>Noch etwa {duration}</translation>
    </message>
    <message>
        <source>Swarm speed</source>
        <translation>Tempo des Schwarms</translation>
    </message>
    <message>
        <source>Your speed</source>
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
        <source>%Ln request(s) for pictures in the queue</source>
        <translation>
            <numerusform>%Ln Bildauftrag in der Warteschlange</numerusform>
            <numerusform>%Ln Bildaufträge in der Warteschlange</numerusform>
        </translation>
    </message>
    <message>
        <source>How this computer trains</source>
        <translation>So trainiert dieser Computer</translation>
    </message>
    <message>
        <source>This computer trains on its processor, not on its GPU</source>
        <translation>Dieser Computer trainiert auf seinem Prozessor, nicht auf seiner GPU</translation>
    </message>
    <message>
        <source>Its driver keeps it.</source>
        <translation>Dafür sorgt ihr Treiber.</translation>
    </message>
    <message>
        <source>Lower clocks and short breaks between steps keep it on average, because its driver does not let Idlebrush set the limit.</source>
        <translation>Niedrigere Taktraten und kurze Pausen zwischen den Schritten halten die Grenze im Mittel ein, weil ihr Treiber Idlebrush die Grenze nicht setzen lässt.</translation>
    </message>
    <message>
        <source>Short breaks between steps keep it on average, because its driver does not let Idlebrush set the limit.</source>
        <translation>Kurze Pausen zwischen den Schritten halten die Grenze im Mittel ein, weil ihr Treiber Idlebrush die Grenze nicht setzen lässt.</translation>
    </message>
    <message>
        <source>This GPU reports no limit of which a percentage could be taken. Set the limit in watts.</source>
        <translation>Diese GPU meldet keine Grenze, auf die sich ein Prozentsatz beziehen könnte. Bitte die Grenze in Watt festlegen.</translation>
    </message>
    <message>
        <source>The power of the GPU is not limited</source>
        <translation>Die Leistung der GPU ist nicht begrenzt</translation>
    </message>
    <message>
        <source>The power of the GPU is limited to {watts} W</source>
        <translation>Die Leistung der GPU ist auf {watts} W begrenzt</translation>
    </message>
    <message numerus="yes">
        <source>On the GPU with %Ln sample(s) at a time, {gpu_memory} of GPU memory and {memory} of RAM.</source>
        <translation>
            <numerusform>Auf der GPU mit %Ln Beispiel auf einmal, {gpu_memory} GPU-Speicher und {memory} Arbeitsspeicher.</numerusform>
            <numerusform>Auf der GPU mit %Ln Beispielen auf einmal, {gpu_memory} GPU-Speicher und {memory} Arbeitsspeicher.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>On the processor with %Ln sample(s) at a time and {memory} of RAM.</source>
        <translation>
            <numerusform>Auf dem Prozessor mit %Ln Beispiel auf einmal und {memory} Arbeitsspeicher.</numerusform>
            <numerusform>Auf dem Prozessor mit %Ln Beispielen auf einmal und {memory} Arbeitsspeicher.</numerusform>
        </translation>
    </message>
    <message>
        <source>GPU {index} ({name}) trains</source>
        <translation>GPU {index} ({name}) trainiert</translation>
    </message>
    <message>
        <source>GPU {index} ({name}) is not used: {why}.</source>
        <translation>GPU {index} ({name}) wird nicht genutzt: {why}.</translation>
    </message>
    <message>
        <source>your preferences leave it out</source>
        <translation>die Einstellungen schließen sie aus</translation>
    </message>
    <message>
        <source>other programs use it</source>
        <translation>andere Programme nutzen sie</translation>
    </message>
    <message>
        <source>it has less free memory</source>
        <translation>sie hat weniger freien Speicher</translation>
    </message>
    <message>
        <source>it is slower</source>
        <translation>sie ist langsamer</translation>
    </message>
    <message>
        <source>it draws the screen</source>
        <translation>sie steuert den Bildschirm an</translation>
    </message>
    <message>
        <source>one GPU trains at a time</source>
        <translation>es trainiert immer nur eine GPU</translation>
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
</context>
<context>
    <name>OfferDialog</name>
    <message>
        <source>&amp;Look at the other run</source>
        <translation>Das andere Projekt &amp;ansehen</translation>
    </message>
    <message>
        <source>&amp;Stay</source>
        <translation>&amp;Bleiben</translation>
    </message>
    <message>
        <source>No run</source>
        <translation>Kein Projekt</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>The files of {title} are being downloaded, and the link or file leads to another run. Looking at it stops the download. What has arrived is kept.</source>
        <translation>Die Dateien von {title} werden heruntergeladen, und der Link oder die Datei führt zu einem anderen Projekt. Wenn du es ansiehst, hält der Download an. Was schon da ist, bleibt erhalten.</translation>
    </message>
    <message>
        <source>Stop the download?</source>
        <translation>Download anhalten?</translation>
    </message>
    <message>
        <source>This computer trains {title}, and the link or file leads to another run. Looking at it changes nothing: you decide afterwards. If you join it, this computer trains both in turns.</source>
        <translation>Dieser Computer trainiert für {title}, und der Link oder die Datei führt zu einem anderen Projekt. Es anzusehen ändert nichts: Die Entscheidung fällt danach. Nach einem Beitritt trainiert dieser Computer abwechselnd für beide.</translation>
    </message>
    <message>
        <source>Look at another run?</source>
        <translation>Ein anderes Projekt ansehen?</translation>
    </message>
    <message>
        <source>Another run</source>
        <translation>Ein anderes Projekt</translation>
    </message>
</context>
<context>
    <name>Offers</name>
    <message>
        <source>This computer already trains {title}.</source>
        <translation>Dieser Computer trainiert schon für {title}.</translation>
    </message>
</context>
<context>
    <name>Order</name>
    <message>
        <source>The prompt contains characters that cannot be used.</source>
        <translation>Der Text enthält Zeichen, die nicht verwendet werden können.</translation>
    </message>
    <message>
        <source>Describe in plain words what the picture should show.</source>
        <translation>Beschreibe in einfachen Worten, was das Bild zeigen soll.</translation>
    </message>
    <message>
        <source>Describe what the pictures should show.</source>
        <translation>Beschreibe, was die Bilder zeigen sollen.</translation>
    </message>
    <message>
        <source>The prompt is too long. A few words work best.</source>
        <translation>Der Text ist zu lang. Am besten sind wenige Worte.</translation>
    </message>
</context>
<context>
    <name>OutcomeCard</name>
    <message>
        <source>What the model writes</source>
        <translation>Was das Modell schreibt</translation>
    </message>
    <message>
        <source>See how the model improved</source>
        <translation>Ansehen, wie das Modell besser wurde</translation>
    </message>
    <message>
        <source>All {epochs} epochs are complete</source>
        <translation>Alle {epochs} Epochen sind abgeschlossen</translation>
    </message>
    <message>
        <source>Thank you for helping to train “{run}”.</source>
        <translation>Danke, dass du geholfen hast, „{run}“ zu trainieren.</translation>
    </message>
</context>
<context>
    <name>OwnPictures</name>
    <message>
        <source>Show older pictures</source>
        <translation>Ältere Bilder zeigen</translation>
    </message>
    <message>
        <source>The pictures for “{prompt}” are ready</source>
        <translation>Die Bilder zu „{prompt}“ sind fertig</translation>
    </message>
    <message>
        <source>No pictures yet</source>
        <translation>Noch keine Bilder</translation>
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
        <source>Choose a run. Its model then draws pictures for your prompts.</source>
        <translation>Wähle ein Projekt. Sein Modell zeichnet dann Bilder zu deinen Texten.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Projekt wählen</translation>
    </message>
    <message>
        <source>The pictures for “{prompt}” could not be drawn</source>
        <translation>Die Bilder zu „{prompt}“ konnten nicht gezeichnet werden</translation>
    </message>
    <message>
        <source>Your pictures cannot be read</source>
        <translation>Deine Bilder können nicht gelesen werden</translation>
    </message>
</context>
<context>
    <name>PairingDialog</name>
    <message>
        <source>Let another computer control this one</source>
        <translation>Diesen Computer von einem anderen steuern lassen</translation>
    </message>
    <message>
        <source>On your other computer, open My computers, choose “Add a computer…”, and enter:</source>
        <translation>Auf dem anderen Computer „Meine Computer“ öffnen, „Computer hinzufügen …“ wählen und eingeben:</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Code: {code}</source>
        <extracomment>{code} is spelt out by screen readers.</extracomment>
        <translation>Code: {code}</translation>
    </message>
    <message>
        <source>Address of this computer:
{addresses}</source>
        <extracomment>{addresses} are addresses of this computer, one below the other.</extracomment>
        <translation>Adresse dieses Computers:
{addresses}</translation>
    </message>
</context>
<context>
    <name>PictureViewer</name>
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
    <name>Plan</name>
    <message>
        <source>This run needs more memory than this computer can provide.</source>
        <translation>Dieses Projekt braucht mehr Speicher, als dieser Computer bereitstellen kann.</translation>
    </message>
    <message>
        <source>Trains on {device} with {gpu_memory} of GPU memory and {memory} of RAM.</source>
        <extracomment>{gpu_memory} and {memory} are such as &quot;5.2 GB&quot;.</extracomment>
        <translation>Trainiert auf {device} mit {gpu_memory} GPU-Speicher und {memory} Arbeitsspeicher.</translation>
    </message>
    <message>
        <source>Trains on the processor with {memory} of RAM.</source>
        <translation>Trainiert auf dem Prozessor mit {memory} Arbeitsspeicher.</translation>
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
        <source>Train</source>
        <translation>Trainieren</translation>
    </message>
    <message>
        <source>“Always” ignores the settings for your convenience. It still respects the limits that protect the computer and your bill: heat, memory, disk, battery charge, price of electricity, metered connections and the monthly quota.</source>
        <translation>„Immer“ übergeht die Einstellungen für die Bequemlichkeit. Die Grenzen, die den Computer und die Rechnung schützen, gelten weiter: Hitze, Speicher, Festplatte, Akkustand, Strompreis, getaktete Verbindungen und das Datenvolumen pro Monat.</translation>
    </message>
    <message>
        <source>Hours of the week</source>
        <translation>Trainingszeiten</translation>
    </message>
    <message>
        <source>Idle after</source>
        <translation>Unbenutzt nach</translation>
    </message>
    <message>
        <source>Processor share while in use</source>
        <translation>Prozessoranteil bei Benutzung</translation>
    </message>
    <message>
        <source>GPU share while in use</source>
        <translation>GPU-Anteil bei Benutzung</translation>
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
        <source>Lowest battery charge</source>
        <translation>Mindestakkustand</translation>
    </message>
    <message>
        <source>Highest processor temperature</source>
        <translation>Höchste Prozessortemperatur</translation>
    </message>
    <message>
        <source>Highest GPU temperature</source>
        <translation>Höchste GPU-Temperatur</translation>
    </message>
    <message>
        <source>Processor load of other programs</source>
        <translation>Prozessorlast anderer Programme</translation>
    </message>
    <message>
        <source>GPU load of other programs</source>
        <translation>GPU-Last anderer Programme</translation>
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
        <source>Disk space for runs</source>
        <translation>Speicherplatz für Projekte</translation>
    </message>
    <message>
        <source>Disk space to keep free</source>
        <translation>Freizuhaltender Speicherplatz</translation>
    </message>
    <message>
        <source>Memory for training</source>
        <translation>Arbeitsspeicher fürs Training</translation>
    </message>
    <message>
        <source>Memory to keep free</source>
        <translation>Freizuhaltender Arbeitsspeicher</translation>
    </message>
    <message>
        <source>GPU memory for training</source>
        <translation>GPU-Speicher fürs Training</translation>
    </message>
    <message>
        <source>GPU memory for other programs</source>
        <translation>GPU-Speicher für andere Programme</translation>
    </message>
    <message>
        <source>Keep memory during pauses for</source>
        <translation>Speicher bei Pausen behalten für</translation>
    </message>
    <message>
        <source>Free GPU memory at every pause</source>
        <translation>GPU-Speicher bei jeder Pause freigeben</translation>
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
        <source>Monthly traffic quota</source>
        <translation>Datenvolumen pro Monat</translation>
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
        <source>Training is allowed during these hours of the week, in local time.</source>
        <translation>In diesen Stunden der Woche ist Training erlaubt, in Ortszeit.</translation>
    </message>
    <message>
        <source>Change runs after</source>
        <translation>Projekt wechseln nach</translation>
    </message>
    <message>
        <source>If several runs are joined, another one may take over after this time of training, at the end of an epoch.</source>
        <translation>Bei mehreren Projekten kann nach dieser Trainingszeit ein anderes an die Reihe kommen, am Ende einer Epoche.</translation>
    </message>
    <message>
        <source>The computer counts as idle after this time without keyboard or mouse input.</source>
        <translation>Nach dieser Zeit ohne Eingabe mit Tastatur oder Maus gilt der Computer als unbenutzt.</translation>
    </message>
    <message>
        <source>While you use the computer, training on the processor pauses or continues for this share of the time.</source>
        <translation>Während du den Computer benutzt, pausiert das Training auf dem Prozessor oder läuft für diesen Anteil der Zeit weiter.</translation>
    </message>
    <message>
        <source>While you use the computer, training on a GPU pauses or continues for this share of the time.</source>
        <translation>Während du den Computer benutzt, pausiert das Training auf einer GPU oder läuft für diesen Anteil der Zeit weiter.</translation>
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
        <source>Pause or continue training while the computer runs on battery.</source>
        <translation>Das Training pausieren oder fortsetzen, während der Computer im Akkubetrieb läuft.</translation>
    </message>
    <message>
        <source>If training is allowed on battery, it pauses below this charge.</source>
        <translation>Ist Training im Akkubetrieb erlaubt, pausiert es unter diesem Akkustand.</translation>
    </message>
    <message>
        <source>Pause above this temperature until the processor has cooled by 5 °C.</source>
        <translation>Über dieser Temperatur pausieren, bis der Prozessor um 5&#xa0;°C abgekühlt ist.</translation>
    </message>
    <message>
        <source>Pause above this temperature until the GPU has cooled by 5 °C.</source>
        <translation>Über dieser Temperatur pausieren, bis die GPU um 5&#xa0;°C abgekühlt ist.</translation>
    </message>
    <message>
        <source>Target temperature of the processor</source>
        <translation>Zieltemperatur des Prozessors</translation>
    </message>
    <message>
        <source>Hold the processor at this temperature by short breaks between steps. Set it below the limit for pausing.</source>
        <translation>Den Prozessor durch kurze Pausen zwischen den Schritten auf dieser Temperatur halten. Sie sollte unter der Grenze zum Pausieren liegen.</translation>
    </message>
    <message>
        <source>Target temperature of the GPU</source>
        <translation>Zieltemperatur der GPU</translation>
    </message>
    <message>
        <source>Hold the GPU at this temperature by short breaks between steps. Set it below the limit for pausing.</source>
        <translation>Die GPU durch kurze Pausen zwischen den Schritten auf dieser Temperatur halten. Sie sollte unter der Grenze zum Pausieren liegen.</translation>
    </message>
    <message>
        <source>Power of the GPU</source>
        <translation>Leistung der GPU</translation>
    </message>
    <message>
        <source>Limit the power of the GPU while it trains, by its driver where that is allowed, otherwise by short breaks between steps. Your own setting of the driver is restored afterwards.</source>
        <translation>Die Leistung der GPU beim Training begrenzen, durch ihren Treiber, wo das erlaubt ist, sonst durch kurze Pausen zwischen den Schritten. Die vorherige Einstellung des Treibers wird danach wiederhergestellt.</translation>
    </message>
    <message>
        <source>Stay awake while training</source>
        <translation>Beim Training wach bleiben</translation>
    </message>
    <message>
        <source>Keep the computer from going to sleep by itself while it trains, but never on battery. The screen may turn off.</source>
        <translation>Den Computer davon abhalten, beim Training von selbst in den Ruhezustand zu gehen, aber nie im Akkubetrieb. Der Bildschirm darf ausgehen.</translation>
    </message>
    <message>
        <source>Price of electricity</source>
        <translation>Strompreis</translation>
    </message>
    <message>
        <source>The price of a kilowatt-hour, by the hours of the week if it changes. Idlebrush shows what the measured energy of training costs.</source>
        <translation>Der Preis einer Kilowattstunde, nach Stunden der Woche, wenn er sich ändert. Idlebrush zeigt, was die gemessene Energie des Trainings kostet.</translation>
    </message>
    <message>
        <source>Highest price</source>
        <translation>Höchster Preis</translation>
    </message>
    <message>
        <source>Pause while a kilowatt-hour costs more than this.</source>
        <translation>Pausieren, während eine Kilowattstunde mehr kostet.</translation>
    </message>
    <message>
        <source>Carbon intensity of electricity</source>
        <translation>CO2-Intensität des Stroms</translation>
    </message>
    <message>
        <source>The grams of CO2 that a kilowatt-hour causes where you live, by the hours of the week if they change. Idlebrush shows what the measured energy of training causes.</source>
        <translation>So viel Gramm CO2 verursacht eine Kilowattstunde vor Ort, nach Stunden der Woche, wenn es sich ändert. Idlebrush zeigt, was die gemessene Energie des Trainings verursacht.</translation>
    </message>
    <message>
        <source>Highest carbon intensity</source>
        <translation>Höchste CO2-Intensität</translation>
    </message>
    <message>
        <source>Pause while a kilowatt-hour causes more CO2 than this.</source>
        <translation>Pausieren, während eine Kilowattstunde mehr CO2 verursacht.</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this share of all processor cores.</source>
        <translation>Pausieren, während andere Programme mehr als diesen Anteil aller Prozessorkerne nutzen.</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this share of the training GPU.</source>
        <translation>Pausieren, während andere Programme mehr als diesen Anteil der trainierenden GPU nutzen.</translation>
    </message>
    <message>
        <source>Training pauses while one of these applications runs. Enter the names of their programs.</source>
        <translation>Das Training pausiert, solange eine dieser Anwendungen läuft. Gib die Namen ihrer Programme ein.</translation>
    </message>
    <message>
        <source>Train for at most this share of the time. Short breaks between steps reduce heat and noise.</source>
        <translation>Höchstens diesen Anteil der Zeit trainieren. Kurze Pausen zwischen den Schritten verringern Wärme und Lärm.</translation>
    </message>
    <message>
        <source>The number of processor threads for training. Automatic: all cores but one, or four if a GPU trains.</source>
        <translation>Die Zahl der Prozessor-Threads für das Training. Automatisch: alle Kerne bis auf einen, oder vier, wenn eine GPU trainiert.</translation>
    </message>
    <message>
        <source>The numbers of the GPUs that may train, counted from 0 and separated by commas.</source>
        <translation>Die Nummern der GPUs, die trainieren dürfen, ab 0 gezählt und durch Kommas getrennt.</translation>
    </message>
    <message>
        <source>The most disk space that runs may use.</source>
        <translation>So viel dürfen Projekte auf der Festplatte höchstens belegen.</translation>
    </message>
    <message>
        <source>Pause while less than this space is free on the disk.</source>
        <translation>Pausieren, solange weniger auf der Festplatte frei ist.</translation>
    </message>
    <message>
        <source>The most memory (RAM) that training may use.</source>
        <translation>So viel Arbeitsspeicher (RAM) darf das Training höchstens belegen.</translation>
    </message>
    <message>
        <source>Release all memory when less than this is left for other programs.</source>
        <translation>Den gesamten Speicher freigeben, wenn weniger für andere Programme übrig ist.</translation>
    </message>
    <message>
        <source>The most GPU memory that training may use.</source>
        <translation>So viel GPU-Speicher darf das Training höchstens belegen.</translation>
    </message>
    <message>
        <source>GPU memory kept free for other programs. If they need more, training stops at once and releases all of its GPU memory.</source>
        <translation>GPU-Speicher, der für andere Programme frei bleibt. Brauchen sie mehr, endet das Training sofort und gibt seinen gesamten GPU-Speicher frei.</translation>
    </message>
    <message>
        <source>Training releases its memory after a pause of this length.</source>
        <translation>Nach einer Pause dieser Länge gibt das Training seinen Speicher frei.</translation>
    </message>
    <message>
        <source>Release GPU memory at every pause. Resuming then takes longer.</source>
        <translation>Den GPU-Speicher bei jeder Pause freigeben. Das Fortsetzen dauert dann länger.</translation>
    </message>
    <message>
        <source>The highest speed at which training may send data.</source>
        <translation>So schnell darf das Training höchstens Daten senden.</translation>
    </message>
    <message>
        <source>The highest speed at which training may receive data.</source>
        <translation>So schnell darf das Training höchstens Daten empfangen.</translation>
    </message>
    <message>
        <source>The most data that training may send and receive in total in a calendar month.</source>
        <translation>So viele Daten darf das Training in einem Kalendermonat insgesamt höchstens senden und empfangen.</translation>
    </message>
    <message>
        <source>Pause while the connection is metered, such as a phone&apos;s.</source>
        <translation>Pausieren, während die Verbindung getaktet ist, etwa über ein Smartphone.</translation>
    </message>
    <message>
        <source>The port on which other peers reach this computer. Automatic: any free port.</source>
        <translation>Über diesen Port erreichen andere Teilnehmer diesen Computer. Automatisch: ein beliebiger freier Port.</translation>
    </message>
    <message>
        <source>Control by other computers</source>
        <translation>Steuerung durch andere Computer</translation>
    </message>
    <message>
        <source>Let your other computers control this one, once they are paired by a code on the page My computers.</source>
        <translation>Andere eigene Computer dürfen diesen steuern, sobald sie auf der Seite „Meine Computer“ mit einem Code gekoppelt sind.</translation>
    </message>
    <message>
        <source>Port for other computers</source>
        <translation>Port für andere Computer</translation>
    </message>
    <message>
        <source>The port on which your other computers reach this one.</source>
        <translation>Über diesen Port erreichen andere eigene Computer diesen.</translation>
    </message>
    <message>
        <source>Let the router forward the port (UPnP or NAT-PMP)</source>
        <translation>Port vom Router weiterleiten lassen (UPnP oder NAT-PMP)</translation>
    </message>
    <message>
        <source>Ask the router to forward that port to this computer, so that other peers can connect to it.</source>
        <translation>Den Router bitten, diesen Port an diesen Computer weiterzuleiten, damit sich andere Teilnehmer mit ihm verbinden können.</translation>
    </message>
    <message>
        <source>Start Idlebrush in the background when you log in.</source>
        <translation>Idlebrush im Hintergrund starten, wenn du dich am Computer anmeldest.</translation>
    </message>
    <message>
        <source>Update by itself</source>
        <translation>Selbst aktualisieren</translation>
    </message>
    <message>
        <source>Look for a newer version once a day, and install it while training is paused. It is never fetched on a metered connection.</source>
        <translation>Einmal am Tag nach einer neueren Version suchen und sie installieren, während das Training pausiert. Über eine getaktete Verbindung wird sie nie geladen.</translation>
    </message>
    <message>
        <source>Electricity</source>
        <translation>Strom</translation>
    </message>
    <message>
        <source>Start and updates</source>
        <translation>Start und Aktualisierungen</translation>
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
        <source>No matching preference</source>
        <translation>Keine passende Einstellung</translation>
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
        <source>No one</source>
        <translation>Niemand</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU and its memory size), your training speed, the gradients you send, and the user name under which you were admitted.</source>
        <translation>Deine IP-Adresse, eine zufällige Kennung (Peer-ID), die Art deiner Hardware (ein Prozessor oder eine GPU und ihre Speichergröße), deine Trainingsgeschwindigkeit, die Gradienten, die du sendest, und den Benutzernamen, unter dem du zugelassen wurdest.</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU and its memory size), your training speed, and the gradients you send. They do not see your name.</source>
        <translation>Deine IP-Adresse, eine zufällige Kennung (Peer-ID), die Art deiner Hardware (ein Prozessor oder eine GPU und ihre Speichergröße), deine Trainingsgeschwindigkeit und die Gradienten, die du sendest. Deinen Namen sehen sie nicht.</translation>
    </message>
    <message>
        <source>Your user name, the contribution of your computers, and the team you join. The leaderboard, your public page with its picture, and your team&apos;s page show your name unless you hide it. The coordinator receives a proof of identity made for it alone, never your token.</source>
        <translation>Deinen Benutzernamen, den Beitrag deiner Computer und das Team, dem du beitrittst. Die Rangliste, deine öffentliche Seite mit ihrem Bild und die Seite deines Teams zeigen deinen Namen, sofern du ihn nicht verbirgst. Der Koordinator erhält einen Identitätsnachweis, der nur für ihn erstellt wird, nie dein Token.</translation>
    </message>
    <message>
        <source>The IP address of this computer and its contribution.</source>
        <translation>Die IP-Adresse dieses Computers und seinen Beitrag.</translation>
    </message>
    <message>
        <source>Your sign-in, if you sign in. Your token is stored on this computer and sent only to the Hub. Idlebrush also downloads data and files of a run from the Hub if they are stored there.</source>
        <translation>Deine Anmeldung, wenn du dich anmeldest. Dein Token bleibt auf diesem Computer und wird nur an den Hub gesendet. Daten und Dateien eines Projekts, die auf dem Hub liegen, lädt Idlebrush von dort herunter.</translation>
    </message>
    <message>
        <source>Your files, your input and the programs you use. To pause while you use the computer, Idlebrush asks the system for the time of the last input, but not for the input itself. This time and the prompts and pictures in your gallery never leave this computer.</source>
        <translation>Deine Dateien, deine Eingaben und die Programme, die du benutzt. Um zu pausieren, während du den Computer benutzt, fragt Idlebrush das System nach dem Zeitpunkt der letzten Eingabe, aber nicht nach der Eingabe selbst. Dieser Zeitpunkt sowie die Texte und Bilder deiner Galerie verlassen diesen Computer nie.</translation>
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
        <source>Start it to train and to see the current state.</source>
        <translation>Starte es, um zu trainieren und den aktuellen Stand zu sehen.</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush antwortet nicht</translation>
    </message>
    <message>
        <source>Wait a moment. If it still does not answer, restart it.</source>
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
        <source>Idlebrush can no longer detect whether you are using the computer</source>
        <translation>Idlebrush erkennt nicht mehr, ob du den Computer benutzt</translation>
    </message>
    <message>
        <source>Start at login could not be changed</source>
        <translation>Der Start bei der Anmeldung konnte nicht geändert werden</translation>
    </message>
    <message>
        <source>A desktop service does not answer</source>
        <translation>Ein Dienst des Desktops antwortet nicht</translation>
    </message>
    <message>
        <source>A checkpoint of the run cannot be used</source>
        <translation>Ein Zwischenstand des Projekts kann nicht verwendet werden</translation>
    </message>
    <message>
        <source>The trainer keeps failing</source>
        <translation>Der Trainer fällt immer wieder aus</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is wrong</source>
        <translation>Die Uhr dieses Computers geht falsch</translation>
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
        <source>The computer cannot be reached</source>
        <translation>Der Computer ist nicht erreichbar</translation>
    </message>
    <message>
        <source>Idlebrush could not start in the background</source>
        <translation>Idlebrush konnte im Hintergrund nicht starten</translation>
    </message>
    <message>
        <source>The background service belongs to another user</source>
        <translation>Der Hintergrunddienst gehört einem anderen Benutzer</translation>
    </message>
    <message>
        <source>The run&apos;s training data cannot be used</source>
        <translation>Die Trainingsdaten des Projekts können nicht verwendet werden</translation>
    </message>
    <message>
        <source>The display server does not respond correctly</source>
        <translation>Der Anzeigeserver antwortet nicht richtig</translation>
    </message>
    <message>
        <source>A download failed</source>
        <translation>Ein Download ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>This is not a valid duration</source>
        <translation>Das ist keine gültige Zeitspanne</translation>
    </message>
    <message>
        <source>The folder cannot be used</source>
        <translation>Der Ordner kann nicht verwendet werden</translation>
    </message>
    <message>
        <source>The run did not admit you</source>
        <translation>Das Projekt hat dich nicht zugelassen</translation>
    </message>
    <message>
        <source>The pictures could not be drawn</source>
        <translation>Die Bilder konnten nicht gezeichnet werden</translation>
    </message>
    <message>
        <source>A training step failed and was discarded</source>
        <translation>Ein Trainingsschritt ist fehlgeschlagen und wurde verworfen</translation>
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
        <source>Your system&apos;s keyring does not work</source>
        <translation>Der Schlüsselbund deines Systems funktioniert nicht</translation>
    </message>
    <message>
        <source>Your system&apos;s keyring is locked</source>
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
        <source>The memory for training cannot be planned</source>
        <translation>Der Speicherbedarf des Trainings lässt sich nicht planen</translation>
    </message>
    <message>
        <source>The files of the run do not fit its model</source>
        <translation>Die Dateien des Projekts passen nicht zu seinem Modell</translation>
    </message>
    <message>
        <source>Your system has no keyring to store the sign-in</source>
        <translation>Dein System hat keinen Schlüsselbund für die Anmeldung</translation>
    </message>
    <message>
        <source>The NVIDIA driver does not answer</source>
        <translation>Der NVIDIA-Treiber antwortet nicht</translation>
    </message>
    <message>
        <source>No NVIDIA driver is installed</source>
        <translation>Es ist kein NVIDIA-Treiber installiert</translation>
    </message>
    <message>
        <source>A part of Idlebrush is not installed</source>
        <translation>Ein Teil von Idlebrush ist nicht installiert</translation>
    </message>
    <message>
        <source>This preference is not valid</source>
        <translation>Diese Einstellung ist ungültig</translation>
    </message>
    <message>
        <source>Training needs more memory than you allow</source>
        <translation>Das Training braucht mehr Arbeitsspeicher, als du erlaubst</translation>
    </message>
    <message>
        <source>The pictures could not be ranked</source>
        <translation>Die Bilder konnten nicht bewertet werden</translation>
    </message>
    <message>
        <source>The other computer cannot be paired or controlled</source>
        <translation>Der andere Computer kann nicht gekoppelt oder gesteuert werden</translation>
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
        <source>What training needs could not be installed</source>
        <translation>Was das Training braucht, konnte nicht installiert werden</translation>
    </message>
    <message>
        <source>The run&apos;s computers leave yours out</source>
        <translation>Die Computer des Projekts schließen deinen aus</translation>
    </message>
    <message>
        <source>The sign-in was not completed</source>
        <translation>Die Anmeldung wurde nicht abgeschlossen</translation>
    </message>
    <message>
        <source>Idlebrush&apos;s saved data could not be read or written</source>
        <translation>Die gespeicherten Daten von Idlebrush konnten nicht gelesen oder geschrieben werden</translation>
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
    <message>
        <source>The new version does not work on this computer</source>
        <translation>Die neue Version funktioniert auf diesem Computer nicht</translation>
    </message>
    <message>
        <source>Idlebrush could not be updated</source>
        <translation>Idlebrush konnte nicht aktualisiert werden</translation>
    </message>
    <message>
        <source>This computer cannot be kept awake</source>
        <translation>Dieser Computer kann nicht wach gehalten werden</translation>
    </message>
    <message>
        <source>This run needs a newer version of Idlebrush</source>
        <translation>Dieses Projekt braucht eine neuere Version von Idlebrush</translation>
    </message>
</context>
<context>
    <name>PromptForm</name>
    <message>
        <source>Prompt</source>
        <translation>Bildbeschreibung</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Zeichnen</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>random</source>
        <translation>zufällig</translation>
    </message>
    <message>
        <source>What should the model draw? For example, “{prompt}”</source>
        <extracomment>{prompt} is an example of what the model can draw, in the language of the run.</extracomment>
        <translation>Was soll das Modell zeichnen? Zum Beispiel „{prompt}“</translation>
    </message>
    <message>
        <source>What should the model draw?</source>
        <translation>Was soll das Modell zeichnen?</translation>
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
        <source>Pictures to keep</source>
        <translation>Bilder behalten</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Lower values give more predictable pictures, higher values more varied ones</source>
        <translation>Niedrige Werte ergeben vorhersehbarere Bilder, hohe Werte vielfältigere</translation>
    </message>
    <message>
        <source>Most likely codes</source>
        <translation>Wahrscheinlichste Codes</translation>
    </message>
    <message>
        <source>Each part of a picture is sampled from this many of the most likely codes (top-k)</source>
        <translation>Jeder Teil eines Bildes wird unter so vielen der wahrscheinlichsten Codes ausgewählt (Top-k)</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>Führung</translation>
    </message>
    <message>
        <source>Higher values follow the prompt more strictly and vary less; 1 does not guide</source>
        <translation>Höhere Werte halten sich strenger an die Beschreibung und ergeben weniger Vielfalt; 1 führt nicht</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>The same seed and prompt give the same pictures</source>
        <translation>Derselbe Startwert und derselbe Text ergeben dieselben Bilder</translation>
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
        <source>Being drawn between training steps</source>
        <translation>Wird zwischen Trainingsschritten gezeichnet</translation>
    </message>
    <message>
        <source>Paused together with training</source>
        <translation>Zusammen mit dem Training pausiert</translation>
    </message>
    <message>
        <source>Being drawn while the computer is idle</source>
        <translation>Wird gezeichnet, während der Computer unbenutzt ist</translation>
    </message>
    <message>
        <source>Being drawn slowly while you use the computer</source>
        <translation>Wird langsam gezeichnet, während du den Computer benutzt</translation>
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
        <source>Elapsed share of the time limit</source>
        <translation>Verstrichener Anteil der Höchstdauer</translation>
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
        <source>This computer continues in the background as your preferences allow. You can see what it did when you open Idlebrush again.</source>
        <translation>Dieser Computer macht im Hintergrund weiter, soweit deine Einstellungen es erlauben. Wenn du Idlebrush wieder öffnest, siehst du, was er getan hat.</translation>
    </message>
    <message>
        <source>Stopping training</source>
        <translation>Das Training wird beendet</translation>
    </message>
    <message>
        <source>This computer is leaving the swarm. This takes a few seconds.</source>
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
        <source>Your rank is recorded from time to time while this computer trains.</source>
        <translation>Dein Platz wird ab und zu festgehalten, während dieser Computer trainiert.</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Platz</translation>
    </message>
</context>
<context>
    <name>Reach</name>
    <message>
        <source>Peers with IPv6 connect directly to this computer over IPv6.</source>
        <translation>Teilnehmer mit IPv6 verbinden sich über IPv6 direkt mit diesem Computer.</translation>
    </message>
    <message>
        <source>Other peers can connect to this computer.</source>
        <translation>Andere Teilnehmer können sich mit diesem Computer verbinden.</translation>
    </message>
    <message>
        <source>Other peers can connect to this computer at a port that its router forwards on request (UPnP or NAT-PMP).</source>
        <translation>Andere Teilnehmer können sich mit diesem Computer an einem Port verbinden, den sein Router auf Anfrage weiterleitet (UPnP oder NAT-PMP).</translation>
    </message>
    <message>
        <source>Other peers reach this computer through an opening in its router that both sides make (hole punching).</source>
        <translation>Andere Teilnehmer erreichen diesen Computer durch eine Öffnung in seinem Router, die beide Seiten schaffen (Hole Punching).</translation>
    </message>
    <message>
        <source>Other peers reach this computer through a relay alone, so it adds up updates for others and gives newcomers the model&apos;s state only while no peer that is reached better does.</source>
        <translation>Andere Teilnehmer erreichen diesen Computer nur über ein Relay. Deshalb summiert er Aktualisierungen für andere und gibt neuen Computern den Stand des Modells nur, solange das kein besser erreichbarer Teilnehmer tut.</translation>
    </message>
    <message>
        <source>Other peers cannot connect to this computer, so it connects to them: it still trains, but neither adds up updates for others nor gives newcomers the model&apos;s state.</source>
        <translation>Andere Teilnehmer können sich nicht mit diesem Computer verbinden, deshalb verbindet er sich mit ihnen: Er trainiert trotzdem, summiert aber weder Aktualisierungen für andere, noch gibt er neuen Computern den Stand des Modells.</translation>
    </message>
    <message>
        <source>No peer of the run could check whether others can connect to this computer: it still trains, but until one can, it neither adds up updates for others nor gives newcomers the model&apos;s state.</source>
        <translation>Kein Teilnehmer des Projekts konnte prüfen, ob sich andere mit diesem Computer verbinden können: Er trainiert trotzdem, aber bis einer es kann, summiert er weder Aktualisierungen für andere, noch gibt er neuen Computern den Stand des Modells.</translation>
    </message>
    <message>
        <source>This is checked again every five minutes; if it stays so, tell the run&apos;s organiser.</source>
        <translation>Das wird alle fünf Minuten wieder geprüft; wenn es so bleibt, sage der Projektleitung Bescheid.</translation>
    </message>
    <message>
        <source>Nothing has to be changed.</source>
        <translation>Es muss nichts geändert werden.</translation>
    </message>
    <message>
        <source>To help the swarm more, turn on the preference “{preference}”, or forward TCP port {port} to this computer in the router.</source>
        <extracomment>{preference} is the title of a preference.</extracomment>
        <translation>Um dem Schwarm mehr zu helfen, schalte die Einstellung „{preference}“ ein oder leite im Router den TCP-Port {port} an diesen Computer weiter.</translation>
    </message>
    <message>
        <source>To help the swarm more, forward TCP port {port} to this computer in the router, or allow UPnP or NAT-PMP there.</source>
        <translation>Um dem Schwarm mehr zu helfen, leite im Router den TCP-Port {port} an diesen Computer weiter oder erlaube dort UPnP oder NAT-PMP.</translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message>
        <source>it is outside your training hours until {moment}</source>
        <translation>es ist bis {moment} außerhalb deiner Trainingszeiten</translation>
    </message>
    <message>
        <source>{programs} fills the screen</source>
        <extracomment>{programs} is the name of a program, or several with commas between them.</extracomment>
        <translation>{programs} füllt den Bildschirm</translation>
    </message>
    <message>
        <source>the exclusive application {programs} is running</source>
        <translation>die Anwendung mit Vorrang {programs} läuft</translation>
    </message>
    <message>
        <source>{programs} keeps the screen on</source>
        <translation>{programs} hält den Bildschirm wach</translation>
    </message>
    <message>
        <source>this run needs {programs} or newer; this is {version}. Update Idlebrush to continue</source>
        <extracomment>{programs} is such as &quot;Idlebrush 0.3&quot;, {version} is such as &quot;0.1.0&quot;.</extracomment>
        <translation>dieses Projekt braucht {programs} oder neuer; dies ist {version}. Aktualisiere Idlebrush, um weiterzumachen</translation>
    </message>
    <message>
        <source>electricity costs more than your limit until {moment}</source>
        <translation>Strom kostet bis {moment} mehr als die festgelegte Grenze</translation>
    </message>
    <message>
        <source>electricity causes more CO2 than your limit until {moment}</source>
        <translation>Strom verursacht bis {moment} mehr CO2 als die festgelegte Grenze</translation>
    </message>
    <message>
        <source>you have not agreed to train yet</source>
        <extracomment>All of these follow &quot;Paused: &quot; or &quot;Slowed to 50%: &quot;, and also stand alone, capitalised.</extracomment>
        <translation>du hast dem Training noch nicht zugestimmt</translation>
    </message>
    <message>
        <source>you chose “Never”</source>
        <translation>du hast „Nie“ gewählt</translation>
    </message>
    <message>
        <source>you paused training</source>
        <translation>du hast das Training pausiert</translation>
    </message>
    <message>
        <source>you snoozed training</source>
        <translation>du hast das Training zeitweise pausiert</translation>
    </message>
    <message>
        <source>a speed test of another run is in progress</source>
        <translation>ein Geschwindigkeitstest für ein anderes Projekt läuft</translation>
    </message>
    <message>
        <source>this run needs a newer version of Idlebrush</source>
        <translation>dieses Projekt braucht eine neuere Version von Idlebrush</translation>
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
        <source>another program needs the GPU memory</source>
        <translation>ein anderes Programm braucht den Speicher der GPU</translation>
    </message>
    <message>
        <source>memory is low</source>
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
        <source>the computer runs on battery</source>
        <translation>der Computer läuft im Akkubetrieb</translation>
    </message>
    <message>
        <source>the battery is low</source>
        <translation>der Akkustand ist niedrig</translation>
    </message>
    <message>
        <source>it is outside your training hours</source>
        <translation>es ist außerhalb deiner Trainingszeiten</translation>
    </message>
    <message>
        <source>electricity costs more than your limit</source>
        <translation>Strom kostet mehr als die festgelegte Grenze</translation>
    </message>
    <message>
        <source>electricity causes more CO2 than your limit</source>
        <translation>Strom verursacht mehr CO2 als die festgelegte Grenze</translation>
    </message>
    <message>
        <source>the network connection is metered</source>
        <translation>die Netzwerkverbindung ist getaktet</translation>
    </message>
    <message>
        <source>this month&apos;s traffic quota is used up</source>
        <translation>das Datenvolumen für diesen Monat ist verbraucht</translation>
    </message>
    <message>
        <source>the disk is nearly full</source>
        <translation>die Festplatte ist fast voll</translation>
    </message>
    <message>
        <source>runs have reached your disk space limit</source>
        <translation>die Projekte haben deine Speicherplatzgrenze erreicht</translation>
    </message>
    <message>
        <source>the processor is held at its target temperature</source>
        <translation>der Prozessor wird auf seiner Zieltemperatur gehalten</translation>
    </message>
    <message>
        <source>the GPU is held at its target temperature</source>
        <translation>die GPU wird auf ihrer Zieltemperatur gehalten</translation>
    </message>
    <message>
        <source>the GPU&apos;s power is limited</source>
        <translation>die Leistung der GPU ist begrenzt</translation>
    </message>
    <message>
        <source>you limited training to a share of the time</source>
        <translation>du hast das Training auf einen Teil der Zeit begrenzt</translation>
    </message>
</context>
<context>
    <name>RecordsCard</name>
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
        <source>Share</source>
        <translation>Teilen</translation>
    </message>
    <message>
        <source>The export has one row per day. The run&apos;s coordinator also signs receipts for your contribution.</source>
        <translation>Der Export enthält eine Zeile pro Tag. Der Koordinator des Projekts signiert auch Quittungen für deinen Beitrag.</translation>
    </message>
    <message>
        <source>The export has one row per day, for a spreadsheet or a program.</source>
        <translation>Der Export enthält eine Zeile pro Tag, für die Tabellenkalkulation oder für Programme.</translation>
    </message>
    <message>
        <source>Open my public page</source>
        <translation>Meine öffentliche Seite öffnen</translation>
    </message>
    <message>
        <source>Open a picture to share</source>
        <translation>Bild zum Teilen öffnen</translation>
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
        <source>Choose another folder, or free some disk space. The system reports: {why}</source>
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
        <source>Your signed receipts are saved on this computer</source>
        <translation>Deine signierten Quittungen sind auf diesem Computer gespeichert</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Ordner öffnen</translation>
    </message>
</context>
<context>
    <name>RunPictures</name>
    <message>
        <source>Save as a moving picture…</source>
        <translation>Als bewegtes Bild speichern …</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Time-lapse to epoch {epoch}</source>
        <translation>Zeitraffer bis Epoche {epoch}</translation>
    </message>
    <message>
        <source>The moving picture is being made</source>
        <translation>Das bewegte Bild wird erstellt</translation>
    </message>
    <message>
        <source>The moving picture is saved</source>
        <translation>Das bewegte Bild wurde gespeichert</translation>
    </message>
    <message>
        <source>The moving picture could not be saved</source>
        <translation>Das bewegte Bild konnte nicht gespeichert werden</translation>
    </message>
    <message>
        <source>Nothing here yet</source>
        <translation>Noch nichts hier</translation>
    </message>
    <message>
        <source>Every few epochs, the model makes something of the run&apos;s prompts. It appears here.</source>
        <translation>Alle paar Epochen macht das Modell etwas aus den Texten des Projekts. Es erscheint hier.</translation>
    </message>
    <message>
        <source>Choose a run to watch its model improve here.</source>
        <translation>Wähle ein Projekt, um hier zu sehen, wie sein Modell besser wird.</translation>
    </message>
    <message>
        <source>What the model writes</source>
        <translation>Was das Modell schreibt</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Noch kein Projekt</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>What the run has made cannot be read</source>
        <translation>Was das Projekt gemacht hat, kann nicht gelesen werden</translation>
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
        <source>A small run for this computer only</source>
        <translation>Ein kleines Projekt nur für diesen Computer</translation>
    </message>
    <message>
        <source>From a list</source>
        <translation>Aus einer Liste</translation>
    </message>
    <message>
        <source>Runs that others recommend</source>
        <translation>Projekte, die andere empfehlen</translation>
    </message>
    <message>
        <source>From a link</source>
        <translation>Über einen Link</translation>
    </message>
    <message>
        <source>From a run&apos;s website or a friend</source>
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
        <source>Inspecting the run</source>
        <translation>Das Projekt wird geprüft</translation>
    </message>
    <message>
        <source>Inspecting the run and this computer…</source>
        <translation>Das Projekt und dieser Computer werden geprüft&#xa0;…</translation>
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
    <name>RunsCard</name>
    <message>
        <source>By run</source>
        <translation>Nach Projekten</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Computing time</source>
        <translation>Rechenzeit</translation>
    </message>
</context>
<context>
    <name>SaveDialog</name>
    <message>
        <source>Pictures (*{suffix})</source>
        <translation>Bilder (*{suffix})</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <source>Save as a moving picture</source>
        <translation>Als bewegtes Bild speichern</translation>
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
    <name>SettingRow</name>
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
    <name>Setup</name>
    <message>
        <source>Cancel the installation?</source>
        <translation>Die Installation abbrechen?</translation>
    </message>
    <message>
        <source>What was downloaded is removed. This computer does not train until it is installed.</source>
        <translation>Was heruntergeladen wurde, wird entfernt. Dieser Computer trainiert erst, wenn alles installiert ist.</translation>
    </message>
    <message>
        <source>Cancel it</source>
        <translation>Installation abbrechen</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Restart the computer now?</source>
        <translation>Den Computer jetzt neu starten?</translation>
    </message>
    <message>
        <source>Save your work first. Idlebrush continues by itself after the restart.</source>
        <translation>Speichere vorher deine Arbeit. Idlebrush macht nach dem Neustart von selbst weiter.</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>Jetzt neu starten</translation>
    </message>
    <message>
        <source>Restart into the firmware’s settings now?</source>
        <translation>Jetzt neu starten und die Einstellungen der Firmware öffnen?</translation>
    </message>
    <message>
        <source>Windows asks an administrator to agree, and restarts at once: save your work first. Turn on Intel VT-x or AMD SVM there, often below “Advanced” or “CPU”, and save. Idlebrush continues by itself after the restart.</source>
        <translation>Windows bittet einen Administrator um Zustimmung und startet sofort neu: Speichere vorher deine Arbeit. Schalte dort Intel VT-x oder AMD SVM ein, oft unter „Advanced“ oder „CPU“, und speichere. Idlebrush macht nach dem Neustart von selbst weiter.</translation>
    </message>
    <message>
        <source>Update WSL now?</source>
        <translation>WSL jetzt aktualisieren?</translation>
    </message>
    <message>
        <source>All Linux systems in WSL are ended for that, also those of other programs: save your work in them first. Windows may ask an administrator to agree. Training continues afterwards.</source>
        <translation>Dafür werden alle Linux-Systeme in WSL beendet, auch die anderer Programme: Speichere vorher deine Arbeit darin. Windows bittet möglicherweise einen Administrator um Zustimmung. Das Training geht danach weiter.</translation>
    </message>
    <message>
        <source>Update now</source>
        <translation>Jetzt aktualisieren</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Training needs more packages</source>
        <translation>Das Training braucht weitere Pakete</translation>
    </message>
    <message>
        <source>Finding the packages for this computer…</source>
        <translation>Die Pakete für diesen Computer werden gesucht…</translation>
    </message>
    <message>
        <source>The download waits</source>
        <translation>Der Download wartet</translation>
    </message>
    <message>
        <source>You have paused the download</source>
        <translation>Du hast den Download angehalten</translation>
    </message>
    <message>
        <source>This Windows is too old for training</source>
        <translation>Dieses Windows ist zu alt für das Training</translation>
    </message>
    <message>
        <source>This computer’s virtualisation is turned off</source>
        <translation>Die Virtualisierung dieses Computers ist ausgeschaltet</translation>
    </message>
    <message>
        <source>Training needs a part of Windows that is turned off</source>
        <translation>Für das Training fehlt ein Teil von Windows, der ausgeschaltet ist</translation>
    </message>
    <message>
        <source>The computer has to restart</source>
        <translation>Der Computer muss neu gestartet werden</translation>
    </message>
    <message>
        <source>Training needs more free disk space</source>
        <translation>Für das Training ist zu wenig Speicherplatz frei</translation>
    </message>
    <message>
        <source>Virtualisation seems to be turned off</source>
        <translation>Die Virtualisierung scheint ausgeschaltet zu sein</translation>
    </message>
    <message>
        <source>Training needs it. If turning on WSL does not help, turn on Intel VT-x or AMD SVM in the settings of the computer’s firmware.</source>
        <translation>Das Training braucht sie. Wenn es nicht genügt, WSL einzuschalten, schalte Intel VT-x oder AMD SVM in den Einstellungen der Firmware des Computers ein.</translation>
    </message>
    <message>
        <source>The WSL that came with Windows is in use</source>
        <translation>Das mit Windows gelieferte WSL wird verwendet</translation>
    </message>
    <message>
        <source>It gets no corrections any more. Idlebrush can have it updated.</source>
        <translation>Es erhält keine Korrekturen mehr. Idlebrush kann es aktualisieren lassen.</translation>
    </message>
    <message>
        <source>NVIDIA’s driver is too old to train on the GPU</source>
        <translation>Der NVIDIA-Treiber ist zu alt, um auf der GPU zu trainieren</translation>
    </message>
    <message>
        <source>This computer would train on its processor. Install NVIDIA’s current driver for Windows.</source>
        <translation>Dieser Computer würde auf seinem Prozessor trainieren. Installiere den aktuellen NVIDIA-Treiber für Windows.</translation>
    </message>
    <message>
        <source>Another person has to agree</source>
        <translation>Eine andere Person muss zustimmen</translation>
    </message>
    <message>
        <source>You do not administer this computer. Have someone who does enter a password when Windows asks for one.</source>
        <translation>Du verwaltest diesen Computer nicht. Bitte jemanden, der ihn verwaltet, ein Kennwort einzugeben, wenn Windows danach fragt.</translation>
    </message>
    <message>
        <source>The download was interrupted</source>
        <translation>Der Download wurde unterbrochen</translation>
    </message>
    <message>
        <source>The packages for training could not be installed</source>
        <translation>Die Pakete für das Training konnten nicht installiert werden</translation>
    </message>
    <message>
        <source>This computer is ready to train</source>
        <translation>Dieser Computer ist bereit für das Training</translation>
    </message>
    <message>
        <source>Checking this computer</source>
        <translation>Dieser Computer wird geprüft</translation>
    </message>
    <message>
        <source>Windows asks for an administrator’s consent</source>
        <translation>Windows fragt nach der Zustimmung eines Administrators</translation>
    </message>
    <message>
        <source>Downloading Linux for training</source>
        <translation>Linux für das Training wird heruntergeladen</translation>
    </message>
    <message>
        <source>Setting up Linux for training</source>
        <translation>Linux für das Training wird eingerichtet</translation>
    </message>
    <message>
        <source>Updating WSL</source>
        <translation>WSL wird aktualisiert</translation>
    </message>
    <message>
        <source>The download waits: {reason}</source>
        <extracomment>{reason} is such as &quot;the network connection is metered&quot;.</extracomment>
        <translation>Der Download wartet: {reason}</translation>
    </message>
    <message>
        <source>Downloading the packages for training</source>
        <translation>Die Pakete für das Training werden heruntergeladen</translation>
    </message>
    <message>
        <source>Installing the packages for training</source>
        <translation>Die Pakete für das Training werden installiert</translation>
    </message>
    <message>
        <source>Testing the packages on this computer</source>
        <translation>Die Pakete werden auf diesem Computer geprüft</translation>
    </message>
    <message>
        <source>Completing the installation</source>
        <translation>Die Installation wird abgeschlossen</translation>
    </message>
    <message>
        <source>Preparing the download</source>
        <translation>Der Download wird vorbereitet</translation>
    </message>
    <message>
        <source>PyTorch and the packages that it needs are downloaded once. Idlebrush checks each file, tests the result, and keeps it in its own folder.</source>
        <translation>PyTorch und die Pakete, die es braucht, werden einmal heruntergeladen. Idlebrush prüft jede Datei, testet das Ergebnis und bewahrt es in seinem eigenen Ordner auf.</translation>
    </message>
    <message>
        <source>What was downloaded is kept.</source>
        <translation>Was heruntergeladen wurde, bleibt erhalten.</translation>
    </message>
    <message>
        <source>The next attempt begins at {moment}. What was downloaded is kept.</source>
        <extracomment>{moment} is a time such as &quot;14:30&quot;.</extracomment>
        <translation>Der nächste Versuch beginnt um {moment}. Was heruntergeladen wurde, bleibt erhalten.</translation>
    </message>
    <message>
        <source>It continues in the background, also when this window is closed.</source>
        <translation>Das läuft im Hintergrund weiter, auch wenn dieses Fenster geschlossen wird.</translation>
    </message>
    <message>
        <source>All packages for training are installed and tested.</source>
        <translation>Alle Pakete für das Training sind installiert und geprüft.</translation>
    </message>
    <message>
        <source>{size}, once</source>
        <translation>{size}, einmalig</translation>
    </message>
    <message>
        <source>Up to {size} while it is installed</source>
        <translation>Bis zu {size} während der Installation</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Download</translation>
    </message>
    <message>
        <source>Disk space</source>
        <translation>Speicherplatz</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Computer</translation>
    </message>
    <message>
        <source>Training runs in a small Linux of its own, within WSL, a part of Windows. It is removed with Idlebrush.</source>
        <translation>Trainiert wird in einem kleinen eigenen Linux, innerhalb von WSL, einem Teil von Windows. Es wird mit Idlebrush entfernt.</translation>
    </message>
    <message>
        <source>Linux</source>
        <translation>Linux</translation>
    </message>
    <message>
        <source>Not included</source>
        <translation>Nicht dabei</translation>
    </message>
    <message>
        <source>This computer trains on its processor, not on its GPU</source>
        <translation>Dieser Computer trainiert auf seinem Prozessor, nicht auf seiner GPU</translation>
    </message>
    <message>
        <source>Step {done} of {total}</source>
        <translation>Schritt {done} von {total}</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <extracomment>Both are sizes, such as &quot;1.2 GB of 2.9 GB&quot;.</extracomment>
        <translation>{done} von {total}</translation>
    </message>
    <message>
        <source>{done} of {total}, about {duration} left</source>
        <extracomment>{duration} is such as &quot;3 min&quot;.</extracomment>
        <translation>{done} von {total}, noch etwa {duration}</translation>
    </message>
    <message>
        <source>Find the packages</source>
        <translation>Die Pakete suchen</translation>
    </message>
    <message>
        <source>Download and install</source>
        <translation>Herunterladen und installieren</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Pause the download</source>
        <translation>Download anhalten</translation>
    </message>
    <message>
        <source>Continue the download</source>
        <translation>Download fortsetzen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>Turn on WSL</source>
        <translation>WSL einschalten</translation>
    </message>
    <message>
        <source>Update WSL</source>
        <translation>WSL aktualisieren</translation>
    </message>
    <message>
        <source>Restart the computer</source>
        <translation>Computer neu starten</translation>
    </message>
    <message>
        <source>Restart into the firmware’s settings</source>
        <translation>In die Firmware-Einstellungen neu starten</translation>
    </message>
    <message>
        <source>How to turn it on</source>
        <translation>So schaltest du sie ein</translation>
    </message>
    <message>
        <source>Open Windows Update</source>
        <translation>Windows Update öffnen</translation>
    </message>
    <message>
        <source>Open the storage settings</source>
        <translation>Speichereinstellungen öffnen</translation>
    </message>
    <message>
        <source>Open NVIDIA’s driver page</source>
        <translation>Treiberseite von NVIDIA öffnen</translation>
    </message>
    <message>
        <source>The page could not be opened</source>
        <translation>Die Seite konnte nicht geöffnet werden</translation>
    </message>
    <message>
        <source>WSL was not updated</source>
        <translation>WSL wurde nicht aktualisiert</translation>
    </message>
    <message>
        <source>The computer does not restart</source>
        <translation>Der Computer startet nicht neu</translation>
    </message>
</context>
<context>
    <name>SetupPanel</name>
    <message>
        <source>Progress of the installation</source>
        <translation>Fortschritt der Installation</translation>
    </message>
</context>
<context>
    <name>SetupScreen</name>
    <message>
        <source>One more download</source>
        <translation>Noch ein Download</translation>
    </message>
    <message>
        <source>Training needs large packages that fit this computer. They are not part of the app.</source>
        <translation>Das Training braucht große Pakete, die zu diesem Computer passen. Sie gehören nicht zur App.</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>Installieren</translation>
    </message>
    <message>
        <source>Open Idlebrush</source>
        <translation>Idlebrush öffnen</translation>
    </message>
    <message>
        <source>The installation continues in the background.</source>
        <translation>Die Installation läuft im Hintergrund weiter.</translation>
    </message>
</context>
<context>
    <name>SignInScreen</name>
    <message>
        <source>Sign in (optional)</source>
        <translation>Anmelden (optional)</translation>
    </message>
    <message>
        <source>Some runs admit only people with certain accounts on the Hugging Face Hub. Open runs and the run that comes with Idlebrush need no account. You can skip this step and sign in later.</source>
        <translation>Manche Projekte lassen nur Personen mit bestimmten Konten auf dem Hugging Face Hub zu. Offene Projekte und das mitgelieferte Projekt brauchen kein Konto. Du kannst diesen Schritt überspringen und dich später anmelden.</translation>
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
        <source>You get a short code and enter it in a browser, here or on your phone. Idlebrush never sees your password. It requests only your user name.</source>
        <translation>Du erhältst einen kurzen Code und gibst ihn in einem Browser ein, hier oder auf deinem Smartphone. Idlebrush sieht nie dein Passwort. Es fragt nur deinen Benutzernamen ab.</translation>
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
        <source>Only until Idlebrush quits</source>
        <translation>Nur bis Idlebrush beendet wird</translation>
    </message>
    <message>
        <source>In a file that only I can read</source>
        <translation>In einer Datei, die nur ich lesen kann</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot store your sign-in</source>
        <translation>Der Schlüsselbund dieses Computers kann deine Anmeldung nicht aufbewahren</translation>
    </message>
    <message>
        <source>Unlock the keyring and try again, or store the sign-in elsewhere.</source>
        <translation>Entsperre den Schlüsselbund und versuche es erneut, oder speichere die Anmeldung an einem anderen Ort.</translation>
    </message>
    <message>
        <source>Requesting a code…</source>
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
        <source>Wait a moment. If nothing changes, end process {pid} and start Idlebrush again.</source>
        <translation>Warte einen Moment. Wenn es dabei bleibt, beende den Prozess {pid} und starte Idlebrush neu.</translation>
    </message>
    <message>
        <source>The file {file} cannot be written.</source>
        <translation>Die Datei {file} kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>Free some disk space, or set IDLEBRUSH_HOME to a folder that you can write to.</source>
        <translation>Gib Speicherplatz frei, oder setze IDLEBRUSH_HOME auf einen Ordner, in den du schreiben kannst.</translation>
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
    <name>TeamModel</name>
    <message>
        <source>Rank</source>
        <translation>Platz</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>Team</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Members</source>
        <translation>Mitglieder</translation>
    </message>
</context>
<context>
    <name>TeamsPanel</name>
    <message>
        <source>Name of a team</source>
        <translation>Name eines Teams</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>Beitreten</translation>
    </message>
    <message>
        <source>Found a new team</source>
        <translation>Neues Team gründen</translation>
    </message>
    <message>
        <source>Leave the team</source>
        <translation>Team verlassen</translation>
    </message>
    <message>
        <source>Leaderboard of teams</source>
        <translation>Rangliste der Teams</translation>
    </message>
    <message>
        <source>Leave {team} and close it?</source>
        <translation>{team} verlassen und schließen?</translation>
    </message>
    <message>
        <source>You are the last member: the team is closed and its name cannot be used again.</source>
        <translation>Du bist das letzte Mitglied: Das Team wird geschlossen, und sein Name kann nicht wieder verwendet werden.</translation>
    </message>
    <message>
        <source>Leave and close</source>
        <translation>Verlassen und schließen</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Bleiben</translation>
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
        <translation>Wann darf dieser Computer trainieren?</translation>
    </message>
    <message>
        <source>These defaults suit most computers. You can change them and many other preferences at any time.</source>
        <translation>Diese Vorgaben passen für die meisten Computer. Du kannst sie und viele andere Einstellungen jederzeit ändern.</translation>
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
        <source>“Always” also trains while you use the computer.</source>
        <translation>„Immer“ trainiert auch, während du den Computer benutzt.</translation>
    </message>
    <message>
        <source>You are away after</source>
        <translation>Als abwesend giltst du nach</translation>
    </message>
    <message>
        <source>This is the time without keyboard or mouse input. Training stops at once when you come back.</source>
        <translation>Das ist die Zeit ohne Eingabe mit Tastatur oder Maus. Wenn du zurückkommst, stoppt das Training sofort.</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>Trainingszeiten</translation>
    </message>
    <message>
        <source>Hours are in local time.</source>
        <translation>Die Zeiten gelten in Ortszeit.</translation>
    </message>
    <message>
        <source>Heat and noise</source>
        <translation>Wärme und Lärm</translation>
    </message>
    <message>
        <source>Breaks between steps keep the computer cooler and quieter.</source>
        <translation>Pausen zwischen den Schritten halten den Computer kühler und leiser.</translation>
    </message>
    <message>
        <source>Train on battery</source>
        <translation>Im Akkubetrieb trainieren</translation>
    </message>
    <message>
        <source>If this is off, training waits until the computer is plugged in.</source>
        <translation>Ist dies aus, wartet das Training, bis der Computer am Stromnetz ist.</translation>
    </message>
    <message>
        <source>Start when I log in</source>
        <translation>Bei der Anmeldung starten</translation>
    </message>
    <message>
        <source>Idlebrush starts in the background, without a window.</source>
        <translation>Idlebrush startet im Hintergrund, ohne Fenster.</translation>
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
        <source>Check and sign in</source>
        <translation>Prüfen und anmelden</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Wird geprüft&#xa0;…</translation>
    </message>
    <message>
        <source>Create a token</source>
        <translation>Ein Token erstellen</translation>
    </message>
    <message>
        <source>A read-only token is enough. Idlebrush sends it only to the Hugging Face Hub.</source>
        <translation>Ein Token mit Leserecht genügt. Idlebrush sendet es nur an den Hugging Face Hub.</translation>
    </message>
    <message>
        <source>Hide the token</source>
        <translation>Token verbergen</translation>
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
        <source>According to my &amp;preferences</source>
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
        <source>Idlebrush is not running in the background</source>
        <translation>Idlebrush läuft nicht im Hintergrund</translation>
    </message>
    <message>
        <source>This computer does not train until you start it.</source>
        <translation>Dieser Computer trainiert nicht, bis du es startest.</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush antwortet nicht</translation>
    </message>
    <message>
        <source>The computer may be very busy. This window shows the last known state.</source>
        <translation>Der Computer ist vielleicht stark ausgelastet. Dieses Fenster zeigt den zuletzt bekannten Stand.</translation>
    </message>
    <message>
        <source>Another version of Idlebrush is running in the background</source>
        <translation>Eine andere Version von Idlebrush läuft im Hintergrund</translation>
    </message>
    <message>
        <source>Restart it so that both parts have the same version. Training continues afterwards.</source>
        <translation>Starte sie neu, damit beide Teile dieselbe Version haben. Danach geht das Training weiter.</translation>
    </message>
    <message>
        <source>Idlebrush is running as another user</source>
        <translation>Idlebrush läuft unter einem anderen Benutzer</translation>
    </message>
    <message>
        <source>Idlebrush could not be started</source>
        <translation>Idlebrush konnte nicht gestartet werden</translation>
    </message>
    <message>
        <source>This computer cannot train yet</source>
        <translation>Dieser Computer kann noch nicht trainieren</translation>
    </message>
    <message>
        <source>The packages for training are not installed.</source>
        <translation>Die Pakete für das Training sind nicht installiert.</translation>
    </message>
    <message>
        <source>The packages for training could not be installed</source>
        <translation>Die Pakete für das Training konnten nicht installiert werden</translation>
    </message>
    <message>
        <source>This computer does not train until they are installed.</source>
        <translation>Dieser Computer trainiert erst, wenn sie installiert sind.</translation>
    </message>
    <message>
        <source>The download of the packages for training is paused</source>
        <translation>Der Download der Pakete für das Training ist angehalten</translation>
    </message>
    <message>
        <source>This computer does not train until it is complete.</source>
        <translation>Dieser Computer trainiert erst, wenn er abgeschlossen ist.</translation>
    </message>
    <message>
        <source>The packages for training are being installed</source>
        <translation>Die Pakete für das Training werden gerade installiert</translation>
    </message>
    <message>
        <source>The page “Now” shows the progress.</source>
        <translation>Die Seite „Jetzt“ zeigt den Fortschritt.</translation>
    </message>
    <message>
        <source>Start it</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Restart it</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Install them</source>
        <translation>Installieren</translation>
    </message>
    <message>
        <source>Continue the download</source>
        <translation>Download fortsetzen</translation>
    </message>
</context>
<context>
    <name>UpdateCard</name>
    <message>
        <source>Updates</source>
        <translation>Aktualisierungen</translation>
    </message>
    <message>
        <source>&amp;Install now</source>
        <translation>Jetzt &amp;installieren</translation>
    </message>
    <message>
        <source>&amp;Not now</source>
        <translation>&amp;Nicht jetzt</translation>
    </message>
    <message>
        <source>&amp;What&apos;s new</source>
        <translation>&amp;Was ist neu</translation>
    </message>
    <message>
        <source>&amp;Look for updates</source>
        <translation>Nach Aktualisierungen &amp;suchen</translation>
    </message>
</context>
<context>
    <name>Updates</name>
    <message>
        <source>Looking for a newer version</source>
        <translation>Eine neuere Version wird gesucht</translation>
    </message>
    <message>
        <source>Idlebrush {version} is available</source>
        <translation>Idlebrush {version} ist verfügbar</translation>
    </message>
    <message>
        <source>Downloading Idlebrush {version}</source>
        <translation>Idlebrush {version} wird heruntergeladen</translation>
    </message>
    <message>
        <source>Installing Idlebrush {version}</source>
        <translation>Idlebrush {version} wird installiert</translation>
    </message>
    <message>
        <source>Idlebrush {version} did not work on this computer</source>
        <translation>Idlebrush {version} hat auf diesem Computer nicht funktioniert</translation>
    </message>
    <message>
        <source>Idlebrush {version} is installed</source>
        <translation>Idlebrush {version} ist installiert</translation>
    </message>
    <message>
        <source>The version before it is kept until this one has trained an epoch.</source>
        <translation>Die Version davor bleibt erhalten, bis diese eine Epoche trainiert hat.</translation>
    </message>
    <message>
        <source>The version before it is in use again. This one is not tried again.</source>
        <translation>Die Version davor ist wieder in Gebrauch. Diese wird nicht noch einmal versucht.</translation>
    </message>
    <message>
        <source>Training continues in a moment.</source>
        <translation>Das Training geht gleich weiter.</translation>
    </message>
    <message>
        <source>Updates are turned off in the preferences.</source>
        <translation>Aktualisierungen sind in den Einstellungen ausgeschaltet.</translation>
    </message>
    <message>
        <source>You put it off until tomorrow.</source>
        <translation>Du hast sie auf morgen verschoben.</translation>
    </message>
    <message>
        <source>This version is too old to update itself. Download the new one from the website.</source>
        <translation>Diese Version ist zu alt, um sich selbst zu aktualisieren. Lade die neue von der Website herunter.</translation>
    </message>
    <message>
        <source>Your system&apos;s package manager installs it.</source>
        <translation>Die Paketverwaltung deines Systems installiert sie.</translation>
    </message>
    <message>
        <source>Download the new package from the page /join of a run&apos;s website, and install it over this one.</source>
        <translation>Lade das neue Paket von der Seite /join der Website eines Projekts herunter und installiere es über dieses.</translation>
    </message>
    <message>
        <source>It is downloaded once the connection is no longer metered.</source>
        <translation>Sie wird geladen, sobald die Verbindung nicht mehr getaktet ist.</translation>
    </message>
    <message>
        <source>It is larger than what is left of this month&apos;s traffic quota.</source>
        <translation>Sie ist größer als der Rest des Datenvolumens dieses Monats.</translation>
    </message>
    <message>
        <source>It waits until the computer runs on mains power.</source>
        <translation>Sie wartet, bis der Computer am Stromnetz ist.</translation>
    </message>
    <message>
        <source>It is installed at the next pause of training.</source>
        <translation>Sie wird in der nächsten Trainingspause installiert.</translation>
    </message>
    <message>
        <source>It is installed once your pictures, previews and sign-ins are done.</source>
        <translation>Sie wird installiert, sobald deine Bilder, Vorschauen und Anmeldungen fertig sind.</translation>
    </message>
</context>
<context>
    <name>WeeklyEditor</name>
    <message>
        <source>The first number is for all hours. Others follow with their times, with semicolons between them.</source>
        <translation>Die erste Zahl gilt für alle Stunden. Weitere folgen mit ihren Zeiten, durch Semikolons getrennt.</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Welcome</source>
        <translation>Willkommen</translation>
    </message>
    <message>
        <source>Get started</source>
        <translation>Los geht’s</translation>
    </message>
    <message>
        <source>Your computer can help a machine learn to paint</source>
        <translation>Dein Computer kann einer Maschine helfen, malen zu lernen</translation>
    </message>
    <message>
        <source>While you are away, Idlebrush trains one model together with other people&apos;s computers. The model turns words into pictures, and you can watch it improve.</source>
        <translation>Während du weg bist, trainiert Idlebrush gemeinsam mit den Computern anderer ein Modell. Das Modell macht aus Worten Bilder, und du kannst zusehen, wie es besser wird.</translation>
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
        <source>Pause at once when you use the computer.</source>
        <translation>Sofort pausieren, wenn du den Computer benutzt.</translation>
    </message>
    <message>
        <source>Pause on battery, during games and videos, and when the computer is hot.</source>
        <translation>Im Akkubetrieb, bei Spielen und Videos und bei Hitze pausieren.</translation>
    </message>
    <message>
        <source>Keep to the limits that you set for heat, noise, memory and bandwidth.</source>
        <translation>Die Grenzen einhalten, die du für Wärme, Lärm, Speicher und Bandbreite setzt.</translation>
    </message>
    <message>
        <source>Train before you agree in step {step}.</source>
        <extracomment>{step} is the number of the step in which the user agrees.</extracomment>
        <translation>Trainieren, bevor du in Schritt {step} zustimmst.</translation>
    </message>
    <message>
        <source>Read or send your files. Others see this computer&apos;s Internet address and its speed.</source>
        <translation>Deine Dateien lesen oder senden. Andere sehen nur die Internetadresse dieses Computers und sein Tempo.</translation>
    </message>
    <message>
        <source>Run programs that others send. The computers exchange only numbers.</source>
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
        <source>My computers</source>
        <translation>Meine Computer</translation>
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
    <name>_NavigationEntry</name>
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
