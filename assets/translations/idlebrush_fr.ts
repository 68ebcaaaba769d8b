<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="fr_FR">
<context>
    <name>AboutPage</name>
    <message>
        <source>Another version is running in the background</source>
        <translation>Une autre version fonctionne en arrière-plan</translation>
    </message>
    <message>
        <source>The app is version {app}, its background part version {daemon}. Restart that part so that both match.</source>
        <translation>L’application est en version {app}, le service en arrière-plan en version {daemon}. Redémarrez-le pour qu’ils concordent.</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Redémarrer</translation>
    </message>
</context>
<context>
    <name>Activity</name>
    <message>
        <source>You have not joined a run yet</source>
        <translation>Vous n’avez encore rejoint aucun projet</translation>
    </message>
    <message>
        <source>{number} samples/s</source>
        <translation>{number} exemples/s</translation>
    </message>
    <message>
        <source>{number} samples/min</source>
        <translation>{number} exemples/min</translation>
    </message>
    <message>
        <source>{number} samples/h</source>
        <translation>{number} exemples/h</translation>
    </message>
    <message>
        <source>Paused until {moment}</source>
        <translation>En pause. Reprise&#xa0;: {moment}</translation>
    </message>
    <message>
        <source>Paused: {reason}</source>
        <translation>En pause&#xa0;: {reason}</translation>
    </message>
    <message>
        <source>Slowed to {percent}: {reason}</source>
        <translation>Ralenti à {percent}&#xa0;: {reason}</translation>
    </message>
    <message>
        <source>Waiting: the trainer is being restarted</source>
        <translation>En attente&#xa0;: l’entraînement redémarre</translation>
    </message>
    <message>
        <source>Waiting: asking the run&apos;s coordinator for admission</source>
        <translation>En attente&#xa0;: l’admission est demandée au coordinateur du projet</translation>
    </message>
    <message>
        <source>Waiting: the run goes on from an earlier checkpoint, which is being downloaded</source>
        <translation>En attente&#xa0;: le projet repart d’un point de contrôle antérieur, en cours de téléchargement</translation>
    </message>
    <message>
        <source>Starting to train</source>
        <translation>L’entraînement commence</translation>
    </message>
    <message>
        <source>Finishing this epoch, then pausing</source>
        <translation>Cette époque se termine, puis pause</translation>
    </message>
    <message>
        <source>Something needs your attention</source>
        <translation>Votre attention est requise</translation>
    </message>
    <message>
        <source>Leaving the swarm</source>
        <translation>Départ de l’essaim</translation>
    </message>
    <message>
        <source>This run is complete</source>
        <translation>Ce projet est terminé</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Désactivé</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Démarrage</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Entraînement</translation>
    </message>
    <message>
        <source>Slowed down</source>
        <translation>Ralenti</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>En pause</translation>
    </message>
    <message>
        <source>Finishing</source>
        <translation>Fin de l’époque</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>En attente</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>Attention requise</translation>
    </message>
    <message>
        <source>Leaving</source>
        <translation>Départ</translation>
    </message>
    <message>
        <source>Complete</source>
        <translation>Terminé</translation>
    </message>
</context>
<context>
    <name>AlbumCard</name>
    <message>
        <source>Fill in the same words again</source>
        <translation>Reprendre les mêmes mots</translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln more picture(s)</source>
        <translation>
            <numerusform>Afficher %Ln image de plus</numerusform>
            <numerusform>Afficher %Ln images de plus</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Albums</name>
    <message>
        <source>best {kept} of {drawn}</source>
        <extracomment>Of the pictures that were drawn, so many were kept.</extracomment>
        <translation>les {kept} meilleures sur {drawn}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln picture(s)</source>
        <translation>
            <numerusform>%Ln image</numerusform>
            <numerusform>%Ln images</numerusform>
        </translation>
    </message>
    <message>
        <source>epoch {epoch}</source>
        <translation>époque {epoch}</translation>
    </message>
    <message>
        <source>All were kept, as they could not be ranked. {reason}</source>
        <extracomment>{reason} is a whole English sentence.</extracomment>
        <translation>Toutes ont été gardées, faute de pouvoir les noter. {reason}</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Époque</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Graine</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Numéro</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Note</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Température</translation>
    </message>
    <message>
        <source>Likeliest codes</source>
        <translation>Codes les plus probables</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <extracomment>Such as &quot;3 of 16&quot;.</extracomment>
        <translation>{number} sur {total}</translation>
    </message>
    <message>
        <source>{prompt}, picture {number} of {total}</source>
        <translation>{prompt}, image {number} sur {total}</translation>
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
        <translation>Mo</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>Go</translation>
    </message>
    <message>
        <source>TB</source>
        <translation>To</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>Mio</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>Gio</translation>
    </message>
    <message>
        <source>TiB</source>
        <translation>Tio</translation>
    </message>
    <message>
        <source>kB/s</source>
        <translation>ko/s</translation>
    </message>
    <message>
        <source>MB/s</source>
        <translation>Mo/s</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>Go/s</translation>
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
        <translation>{days}&#xa0;j</translation>
    </message>
    <message>
        <source>{days} d {hours} h</source>
        <translation>{days}&#xa0;j {hours}&#xa0;h</translation>
    </message>
</context>
<context>
    <name>AppCard</name>
    <message>
        <source>This app</source>
        <translation>Cette application</translation>
    </message>
    <message>
        <source>Same as the system</source>
        <translation>Comme le système</translation>
    </message>
    <message>
        <source>A new language takes effect the next time Idlebrush starts.</source>
        <translation>Une nouvelle langue s’applique au prochain démarrage d’Idlebrush.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Langue</translation>
    </message>
    <message>
        <source>System</source>
        <translation>Système</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Clair</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Sombre</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Apparence</translation>
    </message>
    <message>
        <source>Light, dark, or the same as the system.</source>
        <translation>Claire, sombre, ou comme celle du système.</translation>
    </message>
    <message>
        <source>When you are signed out, something needs your attention, you reach your best rank, or a run is complete.</source>
        <translation>Quand vous avez été déconnecté, que votre attention est requise, que vous atteignez votre meilleur rang ou qu’un projet est terminé.</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Notifications</translation>
    </message>
    <message>
        <source>Stay in the tray</source>
        <translation>Rester dans la zone de notification</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Quitter</translation>
    </message>
    <message>
        <source>What happens to the app, if the desktop has a tray.</source>
        <translation>Ce que devient l’application si le bureau a une zone de notification.</translation>
    </message>
    <message>
        <source>When the window is closed</source>
        <translation>À la fermeture de la fenêtre</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>Me demander</translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation>Continuer l’entraînement</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>What happens to training in the background.</source>
        <translation>Ce que devient l’entraînement en arrière-plan.</translation>
    </message>
    <message>
        <source>When the app is quit</source>
        <translation>Quand on quitte l’application</translation>
    </message>
</context>
<context>
    <name>Badge</name>
    <message>
        <source>Reached on {day}</source>
        <translation>Atteint le {day}</translation>
    </message>
</context>
<context>
    <name>Badges</name>
    <message numerus="yes">
        <source>Trained on %Ln sample(s)</source>
        <translation>
            <numerusform>Entraîné sur %Ln exemple</numerusform>
            <numerusform>Entraîné sur %Ln exemples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Gave %Ln hour(s) of computing</source>
        <translation>
            <numerusform>%Ln heure de calcul donnée</numerusform>
            <numerusform>%Ln heures de calcul données</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Contributed on %Ln day(s) in a row</source>
        <translation>
            <numerusform>Contribution %Ln jour de suite</numerusform>
            <numerusform>Contribution %Ln jours de suite</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Took part in %Ln epoch(s) of the swarm</source>
        <translation>
            <numerusform>Participation à %Ln époque de l’essaim</numerusform>
            <numerusform>Participation à %Ln époques de l’essaim</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Trained through %Ln night(s)</source>
        <translation>
            <numerusform>Entraînement durant %Ln nuit</numerusform>
            <numerusform>Entraînement durant %Ln nuits</numerusform>
        </translation>
    </message>
    <message>
        <source>One hundred</source>
        <translation>Cent</translation>
    </message>
    <message>
        <source>One thousand</source>
        <translation>Mille</translation>
    </message>
    <message>
        <source>Ten thousand</source>
        <translation>Dix mille</translation>
    </message>
    <message>
        <source>A hundred thousand</source>
        <translation>Cent mille</translation>
    </message>
    <message>
        <source>One million</source>
        <translation>Un million</translation>
    </message>
    <message>
        <source>Ten hours</source>
        <translation>Dix heures</translation>
    </message>
    <message>
        <source>Around the clock</source>
        <translation>Jour et nuit</translation>
    </message>
    <message>
        <source>A hundred hours</source>
        <translation>Cent heures</translation>
    </message>
    <message>
        <source>A thousand hours</source>
        <translation>Mille heures</translation>
    </message>
    <message>
        <source>Three days in a row</source>
        <translation>Trois jours de suite</translation>
    </message>
    <message>
        <source>A week in a row</source>
        <translation>Une semaine de suite</translation>
    </message>
    <message>
        <source>A month in a row</source>
        <translation>Un mois de suite</translation>
    </message>
    <message>
        <source>A hundred days in a row</source>
        <translation>Cent jours de suite</translation>
    </message>
    <message>
        <source>First epoch</source>
        <translation>Première époque</translation>
    </message>
    <message>
        <source>A hundred epochs</source>
        <translation>Cent époques</translation>
    </message>
    <message>
        <source>A thousand epochs</source>
        <translation>Mille époques</translation>
    </message>
    <message>
        <source>Night painter</source>
        <translation>Peintre de nuit</translation>
    </message>
    <message>
        <source>A month of nights</source>
        <translation>Un mois de nuits</translation>
    </message>
</context>
<context>
    <name>BadgesCard</name>
    <message>
        <source>Badges</source>
        <translation>Badges</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Dismiss</source>
        <translation>Fermer</translation>
    </message>
</context>
<context>
    <name>BarChart</name>
    <message numerus="yes">
        <source>%Ln value(s) from {start} to {end}; the highest is {high} at {best}. Arrow keys read single values.</source>
        <translation>
            <numerusform>%Ln valeur de {start} à {end}&#xa0;; la plus haute est {high}, à {best}. Les flèches lisent les valeurs une à une.</numerusform>
            <numerusform>%Ln valeurs de {start} à {end}&#xa0;; la plus haute est {high}, à {best}. Les flèches lisent les valeurs une à une.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BoardModel</name>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Volunteer</source>
        <translation>Bénévole</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Exemples</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>Calcul</translation>
    </message>
</context>
<context>
    <name>BoardTable</name>
    <message>
        <source>Leaderboard</source>
        <translation>Classement</translation>
    </message>
</context>
<context>
    <name>ChartCard</name>
    <message>
        <source>Over time</source>
        <translation>Au fil du temps</translation>
    </message>
    <message>
        <source>What is counted</source>
        <translation>Ce qui est compté</translation>
    </message>
</context>
<context>
    <name>CodePanel</name>
    <message>
        <source>There, enter this code:</source>
        <translation>Saisissez-y ce code&#xa0;:</translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation>Ouvrir dans le navigateur</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Code {code}</source>
        <extracomment>{code} is to be read out letter by letter.</extracomment>
        <translation>Code {code}</translation>
    </message>
    <message>
        <source>Open {address}, here or on your phone.</source>
        <translation>Ouvrez {address}, ici ou sur votre téléphone.</translation>
    </message>
    <message>
        <source>Go on in your browser, which shows {address}.</source>
        <translation>Continuez dans votre navigateur, qui affiche {address}.</translation>
    </message>
    <message>
        <source>Copy the code</source>
        <translation>Copier le code</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>Copier l’adresse</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Copié</translation>
    </message>
</context>
<context>
    <name>ConsentScreen</name>
    <message>
        <source>I agree that this computer trains this run as described above.</source>
        <translation>J’accepte que cet ordinateur prenne part à ce projet comme décrit ci-dessus.</translation>
    </message>
    <message>
        <source>Agree</source>
        <translation>Accepter</translation>
    </message>
    <message>
        <source>Open Idlebrush</source>
        <translation>Ouvrir Idlebrush</translation>
    </message>
    <message>
        <source>Start training</source>
        <translation>Commencer l’entraînement</translation>
    </message>
    <message>
        <source>Check the box if you agree.</source>
        <translation>Cochez la case si vous acceptez.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
    </message>
    <message>
        <source>Downloading the run&apos;s files</source>
        <translation>Téléchargement des fichiers du projet</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Do you agree?</source>
        <translation>Êtes-vous d’accord&#xa0;?</translation>
    </message>
    <message>
        <source>This is what will happen once you do.</source>
        <translation>Voici ce qui se passera si vous acceptez.</translation>
    </message>
    <message>
        <source>I have compared the key {key} with the one that the organiser published.</source>
        <extracomment>{key} is a row of letters and digits.</extracomment>
        <translation>J’ai comparé la clé {key} avec celle que l’organisateur a publiée.</translation>
    </message>
    <message>
        <source>It trains when you are away</source>
        <translation>L’entraînement a lieu en votre absence</translation>
    </message>
    <message>
        <source>You are part of the run now</source>
        <translation>Vous faites maintenant partie du projet</translation>
    </message>
    <message>
        <source>That is all. Idlebrush stays near the clock; open it to see the pictures get better.</source>
        <translation>C’est tout. Idlebrush reste près de l’horloge&#xa0;; ouvrez-le pour voir les images s’améliorer.</translation>
    </message>
</context>
<context>
    <name>ContributionPage</name>
    <message>
        <source>By day</source>
        <translation>Par jour</translation>
    </message>
    <message>
        <source>By week</source>
        <translation>Par semaine</translation>
    </message>
    <message>
        <source>All time</source>
        <translation>Depuis le début</translation>
    </message>
    <message>
        <source>Which time</source>
        <translation>Période</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Ce projet</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>Tous les projets</translation>
    </message>
    <message>
        <source>Which runs</source>
        <translation>Quels projets</translation>
    </message>
    <message>
        <source>It begins with the first epoch that this computer takes part in.</source>
        <translation>Elle commencera avec la première époque à laquelle cet ordinateur prendra part.</translation>
    </message>
    <message>
        <source>No contribution yet</source>
        <translation>Aucune contribution pour l’instant</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
    </message>
</context>
<context>
    <name>ContributionView</name>
    <message numerus="yes">
        <source>%Ln day(s)</source>
        <translation>
            <numerusform>%Ln jour</numerusform>
            <numerusform>%Ln jours</numerusform>
        </translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Exemples</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>Heures</translation>
    </message>
    <message>
        <source>Watt-hours</source>
        <translation>Wattheures</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Rien</translation>
    </message>
    <message numerus="yes">
        <source>%Ln sample(s)</source>
        <translation>
            <numerusform>%Ln exemple</numerusform>
            <numerusform>%Ln exemples</numerusform>
        </translation>
    </message>
    <message>
        <source>Week of {day}</source>
        <translation>Semaine du {day}</translation>
    </message>
    <message>
        <source>MMM yyyy</source>
        <extracomment>A month with its year, such as &quot;Mar 2026&quot;: MMM, short name of the month; yyyy, year.</extracomment>
        <translation>MMM yyyy</translation>
    </message>
    <message>
        <source>In the last 30 days</source>
        <translation>Ces 30 derniers jours</translation>
    </message>
    <message>
        <source>In the last 26 weeks</source>
        <translation>Ces 26 dernières semaines</translation>
    </message>
    <message>
        <source>Since you began</source>
        <translation>Depuis vos débuts</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>Calcul</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Inconnu</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Énergie</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Époques</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Envoyé</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>Reçu</translation>
    </message>
    <message>
        <source>Contribute on two days in a row to start a streak.</source>
        <translation>Contribuez deux jours de suite pour commencer une série.</translation>
    </message>
    <message numerus="yes">
        <source>Your longest streak: %Ln day(s)</source>
        <translation>
            <numerusform>Votre plus longue série&#xa0;: %Ln jour</numerusform>
            <numerusform>Votre plus longue série&#xa0;: %Ln jours</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EmbeddedWay</name>
    <message>
        <source>It learns to draw emoji from their names, in minutes rather than months. Nobody else takes part, and nothing leaves this computer. With so few pictures, the model learns them by heart: it shows how training works, but is of no use beyond that.</source>
        <translation>Un modèle y apprend à dessiner des émojis d’après leurs noms, en quelques minutes plutôt qu’en plusieurs mois. Personne d’autre n’y prend part, et rien ne quitte cet ordinateur. Avec si peu d’images, le modèle les apprend par cœur&#xa0;: il montre comment fonctionne l’entraînement, sans être destiné à un usage réel.</translation>
    </message>
</context>
<context>
    <name>EpochCard</name>
    <message>
        <source>Epoch</source>
        <translation>Époque</translation>
    </message>
    <message>
        <source>The swarm&apos;s progress shows up once training has begun.</source>
        <translation>La progression de l’essaim s’affiche dès que l’entraînement a commencé.</translation>
    </message>
</context>
<context>
    <name>EpochRing</name>
    <message>
        <source>Progress of the epoch</source>
        <translation>Progression de l’époque</translation>
    </message>
</context>
<context>
    <name>FileWay</name>
    <message>
        <source>Choose a file…</source>
        <translation>Choisir un fichier…</translation>
    </message>
    <message>
        <source>Or drop it anywhere on this screen.</source>
        <translation>Ou déposez-le n’importe où sur cet écran.</translation>
    </message>
    <message>
        <source>Choose a run&apos;s description</source>
        <translation>Choisir la description d’un projet</translation>
    </message>
    <message>
        <source>Descriptions of runs (*.toml)</source>
        <translation>Descriptions de projets (*.toml)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Tous les fichiers (*)</translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message>
        <source>Paste a token first.</source>
        <translation>Collez d’abord un jeton.</translation>
    </message>
    <message>
        <source>That is far too long for a token. Copy only the token.</source>
        <translation>C’est bien trop long pour un jeton. Copiez uniquement le jeton.</translation>
    </message>
    <message>
        <source>That contains characters that no token has. Copy only the token.</source>
        <translation>Cela contient des caractères qu’aucun jeton n’a. Copiez uniquement le jeton.</translation>
    </message>
    <message>
        <source>Your sign-in is kept in this computer&apos;s keyring.</source>
        <translation>Votre connexion est gardée dans le trousseau de cet ordinateur.</translation>
    </message>
    <message>
        <source>Your sign-in is kept until Idlebrush ends.</source>
        <translation>Votre connexion est gardée jusqu’à la fermeture d’Idlebrush.</translation>
    </message>
    <message>
        <source>Your sign-in is kept in a file that only you can read.</source>
        <translation>Votre connexion est gardée dans un fichier que vous seul pouvez lire.</translation>
    </message>
    <message>
        <source>This has expired.</source>
        <translation>Ce code a expiré.</translation>
    </message>
    <message>
        <source>Good for another {time}.</source>
        <extracomment>{time} is such as &quot;9 min 30 s&quot;.</extracomment>
        <translation>Valable encore {time}.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Projet</translation>
    </message>
    <message>
        <source>It takes the place of {title}, which this computer trains now.</source>
        <translation>Il remplace {title}, auquel cet ordinateur participe actuellement.</translation>
    </message>
    <message>
        <source>Instead of</source>
        <translation>À la place de</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Cet ordinateur</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Quand</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Téléchargement</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>Trafic</translation>
    </message>
    <message>
        <source>Others see</source>
        <translation>Les autres voient</translation>
    </message>
    <message>
        <source>Pause it or leave the run whenever you like, from the icon near the clock.</source>
        <translation>Mettez en pause ou quittez le projet quand vous voulez, avec l’icône près de l’horloge.</translation>
    </message>
    <message>
        <source>To stop</source>
        <translation>Pour arrêter</translation>
    </message>
    <message>
        <source>Preparing to download the run&apos;s files…</source>
        <translation>Préparation du téléchargement des fichiers du projet…</translation>
    </message>
    <message>
        <source>Downloading the run&apos;s files: {share}, {size} to go.</source>
        <extracomment>{share} is such as &quot;42%&quot;, {size} such as &quot;1.2 GB&quot;.</extracomment>
        <translation>Téléchargement des fichiers du projet&#xa0;: {share}, encore {size}.</translation>
    </message>
    <message>
        <source>Leave this for now?</source>
        <translation>S’arrêter là pour l’instant&#xa0;?</translation>
    </message>
    <message>
        <source>Nothing is trained until you join a run. You can do that later, from the window.</source>
        <translation>Rien n’est entraîné avant que vous ne rejoigniez un projet. Vous pourrez le faire plus tard, depuis la fenêtre.</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Quitter</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Rester</translation>
    </message>
    <message>
        <source>Organiser</source>
        <translation>Organisateur</translation>
    </message>
    <message>
        <source>It comes with Idlebrush, and trains on this computer alone.</source>
        <translation>Il est fourni avec Idlebrush, et ne tourne que sur cet ordinateur.</translation>
    </message>
    <message>
        <source>It has no website; its key is {key}.</source>
        <translation>Il n’a pas de site web&#xa0;; sa clé est {key}.</translation>
    </message>
    <message>
        <source>{where}, with the key {key}</source>
        <extracomment>{where} is a website, {key} a row of letters and digits.</extracomment>
        <translation>{where}, avec la clé {key}</translation>
    </message>
    <message>
        <source>Nothing: all of its files are here.</source>
        <translation>Rien&#xa0;: tous ses fichiers sont déjà ici.</translation>
    </message>
    <message>
        <source>{size}, once, before it begins.</source>
        <translation>{size}, une fois, avant de commencer.</translation>
    </message>
    <message>
        <source>None: there is nobody to exchange anything with.</source>
        <translation>Aucun&#xa0;: il n’y a personne avec qui échanger.</translation>
    </message>
    <message>
        <source>At most about {size} each way in a day without a pause, among 16 computers like this one. You can set limits in the preferences.</source>
        <translation>Au plus {size} environ dans chaque sens pour une journée sans pause, avec 16 ordinateurs comme celui-ci. Vous pouvez fixer des limites dans les préférences.</translation>
    </message>
    <message>
        <source>At most about {size} each way for every step that all take together.</source>
        <translation>Au plus {size} environ dans chaque sens pour chaque étape que tous font ensemble.</translation>
    </message>
    <message>
        <source>Nothing. None of your files is read or sent.</source>
        <translation>Rien. Aucun de vos fichiers n’est lu ni envoyé.</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address, how fast it trains, and your user name, which you can hide on the run&apos;s pages. None of your files is read or sent.</source>
        <translation>L’adresse Internet de cet ordinateur, sa vitesse d’entraînement et votre nom d’utilisateur, que vous pouvez masquer sur les pages du projet. Aucun de vos fichiers n’est lu ni envoyé.</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address and how fast it trains, under a random name. None of your files is read or sent.</source>
        <translation>L’adresse Internet de cet ordinateur et sa vitesse d’entraînement, sous un nom aléatoire. Aucun de vos fichiers n’est lu ni envoyé.</translation>
    </message>
    <message>
        <source>Loading the run to try it out. On a busy computer that takes a while…</source>
        <translation>Chargement du projet pour l’essayer. Sur un ordinateur occupé, cela prend un moment…</translation>
    </message>
    <message>
        <source>This computer is trying the run out…</source>
        <translation>Cet ordinateur essaie le projet…</translation>
    </message>
    <message>
        <source>See how fast this computer is: it tries the run out for a minute.</source>
        <translation>Voyez la vitesse de cet ordinateur&#xa0;: il essaie le projet pendant une minute.</translation>
    </message>
    <message>
        <source>About {rate} samples an hour. Each step takes {target} from all together.</source>
        <extracomment>{rate} is a number; the model learns from samples: pictures with their descriptions.</extracomment>
        <translation>Environ {rate} exemples par heure. Chaque étape en demande {target} à tous ensemble.</translation>
    </message>
    <message>
        <source>This run admits members of {organisation} on the Hugging Face Hub.</source>
        <translation>Ce projet admet les membres de {organisation} sur le Hugging Face Hub.</translation>
    </message>
    <message>
        <source>This run admits people on its organiser&apos;s list.</source>
        <translation>Ce projet admet les personnes inscrites sur la liste de son organisateur.</translation>
    </message>
    <message>
        <source>This run admits people whom its organiser has invited.</source>
        <translation>Ce projet admet les personnes que son organisateur a invitées.</translation>
    </message>
    <message>
        <source>This run admits anyone who signs in with the Hugging Face Hub.</source>
        <translation>Ce projet admet quiconque se connecte avec le Hugging Face Hub.</translation>
    </message>
    <message>
        <source>You sign in at {hub}. That proves to {coordinator}, and to nobody else, who you are: the organiser learns your user name, and gets no access to your account.</source>
        <translation>Vous vous connectez sur {hub}. Cela prouve à {coordinator}, et à personne d’autre, qui vous êtes&#xa0;: l’organisateur apprend votre nom d’utilisateur, et n’a aucun accès à votre compte.</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background.</source>
        <translation>Idlebrush ne fonctionne pas en arrière-plan.</translation>
    </message>
    <message>
        <source>The sign-in is still under way.</source>
        <translation>La connexion est encore en cours.</translation>
    </message>
    <message>
        <source>Choose a run first.</source>
        <translation>Choisissez d’abord un projet.</translation>
    </message>
    <message>
        <source>One moment: looking at the run.</source>
        <translation>Un instant&#xa0;: le projet est examiné.</translation>
    </message>
    <message>
        <source>Choose a run that can be joined.</source>
        <translation>Choisissez un projet que l’on peut rejoindre.</translation>
    </message>
    <message>
        <source>This run is too large for this computer.</source>
        <translation>Ce projet est trop grand pour cet ordinateur.</translation>
    </message>
    <message>
        <source>Sign in to this run first.</source>
        <translation>Connectez-vous d’abord à ce projet.</translation>
    </message>
    <message>
        <source>While I am away</source>
        <translation>En mon absence</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Toujours</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Jamais</translation>
    </message>
    <message>
        <source>At any hour</source>
        <translation>À toute heure</translation>
    </message>
    <message>
        <source>Evenings, nights and weekends</source>
        <translation>Soirs, nuits et week-ends</translation>
    </message>
    <message>
        <source>At night</source>
        <translation>La nuit</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>Pleine vitesse</translation>
    </message>
    <message>
        <source>Three quarters of the time</source>
        <translation>Les trois quarts du temps</translation>
    </message>
    <message>
        <source>Half of the time, cooler and quieter</source>
        <translation>La moitié du temps, plus frais et plus silencieux</translation>
    </message>
    <message>
        <source>A quarter of the time, hardly noticed</source>
        <translation>Un quart du temps, à peine perceptible</translation>
    </message>
    <message>
        <source>As set: {value}</source>
        <extracomment>{value} is what was set elsewhere, such as &quot;mon-fri 18:00-08:00&quot;.</extracomment>
        <translation>Réglage actuel&#xa0;: {value}</translation>
    </message>
    <message>
        <source>Whenever your preferences allow it.</source>
        <translation>Chaque fois que vos préférences le permettent.</translation>
    </message>
    <message>
        <source>It always trains, even while you use the computer.</source>
        <translation>L’entraînement a toujours lieu, même quand vous utilisez l’ordinateur.</translation>
    </message>
    <message>
        <source>It does not train until you allow it.</source>
        <translation>Pas d’entraînement avant que vous ne le permettiez.</translation>
    </message>
    <message>
        <source>It trains once nobody has used the computer for {idle}. {hours}.</source>
        <extracomment>{idle} is such as &quot;3 min&quot;; {hours} is such as &quot;At any hour&quot;, &quot;At night&quot;.</extracomment>
        <translation>L’entraînement a lieu quand l’ordinateur n’a pas été utilisé depuis {idle}. {hours}.</translation>
    </message>
    <message>
        <source>It rests only when the computer gets hot or runs low on battery or memory.</source>
        <translation>Pause seulement si l’ordinateur chauffe, ou si la batterie ou la mémoire viennent à manquer.</translation>
    </message>
    <message>
        <source>It trains on battery as well.</source>
        <translation>L’entraînement a aussi lieu sur batterie.</translation>
    </message>
    <message>
        <source>It rests on battery, during games and videos, and when it gets hot.</source>
        <translation>Pause sur batterie, pendant les jeux et les vidéos, et en cas de surchauffe.</translation>
    </message>
    <message>
        <source>It computes for at most {share} of the time.</source>
        <extracomment>{share} is such as &quot;50%&quot;.</extracomment>
        <translation>Le calcul prend au plus {share} du temps.</translation>
    </message>
    <message>
        <source>It starts when you log in.</source>
        <translation>Démarre à l’ouverture de votre session.</translation>
    </message>
    <message>
        <source>It starts when you open Idlebrush.</source>
        <translation>Démarre quand vous ouvrez Idlebrush.</translation>
    </message>
    <message>
        <source>Welcome to Idlebrush</source>
        <translation>Bienvenue dans Idlebrush</translation>
    </message>
    <message>
        <source>Join a run</source>
        <translation>Rejoindre un projet</translation>
    </message>
</context>
<context>
    <name>Foot</name>
    <message>
        <source>Back</source>
        <translation>Retour</translation>
    </message>
</context>
<context>
    <name>GalleryPage</name>
    <message>
        <source>The run</source>
        <translation>Le projet</translation>
    </message>
    <message>
        <source>My pictures</source>
        <translation>Mes images</translation>
    </message>
    <message>
        <source>Which pictures</source>
        <translation>Quelles images</translation>
    </message>
</context>
<context>
    <name>GatePanel</name>
    <message>
        <source>Only members train this run</source>
        <translation>Seuls les membres prennent part à ce projet</translation>
    </message>
    <message>
        <source>Code of your invitation</source>
        <translation>Code de votre invitation</translation>
    </message>
    <message>
        <source>Sign in with the browser</source>
        <translation>Se connecter avec le navigateur</translation>
    </message>
    <message>
        <source>Get a code instead</source>
        <translation>Obtenir plutôt un code</translation>
    </message>
    <message>
        <source>You are admitted to this run.</source>
        <translation>Vous êtes admis à ce projet.</translation>
    </message>
    <message>
        <source>Only until Idlebrush ends</source>
        <translation>Seulement jusqu’à la fermeture d’Idlebrush</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot keep your membership</source>
        <translation>Le trousseau de cet ordinateur ne peut pas garder votre adhésion</translation>
    </message>
    <message>
        <source>Unlock it and try again, or sign in until Idlebrush ends.</source>
        <translation>Déverrouillez-le et réessayez, ou connectez-vous jusqu’à la fermeture d’Idlebrush.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Website of the run</source>
        <translation>Site web du projet</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>Version {version}</translation>
    </message>
    <message>
        <source>System</source>
        <translation>Système</translation>
    </message>
    <message>
        <source>In the background</source>
        <translation>En arrière-plan</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Copié</translation>
    </message>
    <message>
        <source>Copy details for a bug report</source>
        <translation>Copier les détails pour signaler un bogue</translation>
    </message>
    <message>
        <source>Idle computers together train a model that draws what it is told to.</source>
        <translation>Des ordinateurs inoccupés entraînent ensemble un modèle qui dessine ce qu’on lui demande.</translation>
    </message>
</context>
<context>
    <name>Hero</name>
    <message>
        <source>Website</source>
        <translation>Site web</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Reprendre</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>Pause temporaire</translation>
    </message>
    <message>
        <source>Finish this epoch</source>
        <translation>Terminer cette époque</translation>
    </message>
    <message>
        <source>Train anyway</source>
        <translation>Entraîner quand même</translation>
    </message>
    <message>
        <source>Back to my preferences</source>
        <translation>Revenir à mes préférences</translation>
    </message>
</context>
<context>
    <name>HoursEditor</name>
    <message>
        <source>Drag to paint, or move with the arrow keys and press Space. Or type the hours into the field.</source>
        <translation>Glissez pour peindre, ou déplacez-vous avec les flèches et appuyez sur Espace. Ou saisissez les heures dans le champ.</translation>
    </message>
    <message>
        <source>{preference}, as text</source>
        <translation>{preference}, en texte</translation>
    </message>
</context>
<context>
    <name>HoursGrid</name>
    <message>
        <source>{day}, {time}: training is allowed</source>
        <translation>{day}, {time}&#xa0;: entraînement permis</translation>
    </message>
    <message>
        <source>{day}, {time}: training pauses</source>
        <translation>{day}, {time}&#xa0;: entraînement en pause</translation>
    </message>
</context>
<context>
    <name>KeepingCard</name>
    <message>
        <source>For your records</source>
        <translation>Pour vos archives</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exporter</translation>
    </message>
    <message>
        <source>Get signed receipts</source>
        <translation>Obtenir des reçus signés</translation>
    </message>
    <message>
        <source>Open my page on the website</source>
        <translation>Ouvrir ma page sur le site web</translation>
    </message>
    <message>
        <source>A file with a row for each day. The run&apos;s coordinator also signs receipts for what you gave.</source>
        <translation>Un fichier avec une ligne par jour. Le coordinateur du projet signe aussi des reçus pour ce que vous avez donné.</translation>
    </message>
    <message>
        <source>A file with a row for each day, for a spreadsheet or a program.</source>
        <translation>Un fichier avec une ligne par jour, pour un tableur ou un programme.</translation>
    </message>
    <message>
        <source>For a spreadsheet (CSV)</source>
        <translation>Pour un tableur (CSV)</translation>
    </message>
    <message>
        <source>For programs (JSON)</source>
        <translation>Pour des programmes (JSON)</translation>
    </message>
    <message>
        <source>Export my contribution</source>
        <translation>Exporter ma contribution</translation>
    </message>
    <message>
        <source>{format} files (*.{ending})</source>
        <translation>Fichiers {format} (*.{ending})</translation>
    </message>
    <message>
        <source>Your contribution was saved as {file}</source>
        <translation>Votre contribution a été enregistrée sous {file}</translation>
    </message>
    <message>
        <source>The file could not be written</source>
        <translation>Le fichier n’a pas pu être écrit</translation>
    </message>
    <message>
        <source>Choose another folder, or free some space. The system says: {why}</source>
        <translation>Choisissez un autre dossier, ou libérez de la place. Message du système&#xa0;: {why}</translation>
    </message>
    <message>
        <source>Downloading and checking the receipts</source>
        <translation>Téléchargement et vérification des reçus</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Your signed receipts are on this computer</source>
        <translation>Vos reçus signés sont sur cet ordinateur</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Ouvrir le dossier</translation>
    </message>
</context>
<context>
    <name>LargePicture</name>
    <message>
        <source>Save…</source>
        <translation>Enregistrer…</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Copier l’image</translation>
    </message>
    <message>
        <source>Draw again…</source>
        <translation>Redessiner…</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ouvrir le dossier</translation>
    </message>
    <message>
        <source>The picture is saved</source>
        <translation>L’image est enregistrée</translation>
    </message>
    <message>
        <source>{reason}. Choose another folder.</source>
        <translation>{reason}. Choisissez un autre dossier.</translation>
    </message>
    <message>
        <source>The picture could not be saved</source>
        <translation>L’image n’a pas pu être enregistrée</translation>
    </message>
    <message>
        <source>The picture is on the clipboard</source>
        <translation>L’image est dans le presse-papiers</translation>
    </message>
</context>
<context>
    <name>LeaderboardPage</name>
    <message>
        <source>Samples</source>
        <translation>Exemples</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Temps</translation>
    </message>
    <message>
        <source>Ranked by</source>
        <translation>Classement par</translation>
    </message>
    <message>
        <source>All time</source>
        <translation>Depuis le début</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>7 derniers jours</translation>
    </message>
    <message>
        <source>Which time</source>
        <translation>Période</translation>
    </message>
    <message>
        <source>Show my row</source>
        <translation>Afficher ma ligne</translation>
    </message>
    <message>
        <source>Hide my name from others</source>
        <translation>Masquer mon nom aux autres</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Choisir un projet</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
    </message>
</context>
<context>
    <name>LeaderboardView</name>
    <message>
        <source>Hidden volunteer</source>
        <translation>Bénévole anonyme</translation>
    </message>
    <message>
        <source>{name} (you, hidden from others)</source>
        <translation>{name} (vous, masqué aux autres)</translation>
    </message>
    <message>
        <source>{name} (you)</source>
        <translation>{name} (vous)</translation>
    </message>
    <message>
        <source>Volunteers so far: {total}. You are not among them yet.</source>
        <translation>Bénévoles à ce jour&#xa0;: {total}. Vous n’en faites pas encore partie.</translation>
    </message>
    <message>
        <source>You are number {rank} of {total}.</source>
        <translation>Vous êtes au rang {rank} sur {total}.</translation>
    </message>
    <message>
        <source>Volunteers so far: {total}. Nobody signs in to this run, so it is not known which row is yours.</source>
        <translation>Bénévoles à ce jour&#xa0;: {total}. Personne ne se connecte à ce projet, on ne sait donc pas quelle ligne est la vôtre.</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Non connecté</translation>
    </message>
    <message>
        <source>The leaderboard shows up once Idlebrush runs in the background.</source>
        <translation>Le classement s’affiche dès qu’Idlebrush fonctionne en arrière-plan.</translation>
    </message>
    <message>
        <source>You have not joined a run yet</source>
        <translation>Vous n’avez encore rejoint aucun projet</translation>
    </message>
    <message>
        <source>Join a run, and see here how your contribution compares.</source>
        <translation>Rejoignez un projet, et voyez ici comment se situe votre contribution.</translation>
    </message>
    <message>
        <source>This run has no leaderboard</source>
        <translation>Ce projet n’a pas de classement</translation>
    </message>
    <message>
        <source>Its organiser does not count contributions. Yours is counted on this computer: see My contribution.</source>
        <translation>Son organisateur ne compte pas les contributions. La vôtre est comptée sur cet ordinateur&#xa0;: voir «&#xa0;Ma contribution&#xa0;».</translation>
    </message>
    <message>
        <source>Nobody here yet</source>
        <translation>Personne pour l’instant</translation>
    </message>
    <message>
        <source>It begins with the first epoch that somebody takes part in.</source>
        <translation>Il commencera avec la première époque à laquelle quelqu’un prendra part.</translation>
    </message>
    <message>
        <source>Best rank: {rank}, on {day}</source>
        <translation>Meilleur rang&#xa0;: {rank}, le {day}</translation>
    </message>
</context>
<context>
    <name>LicenceCard</name>
    <message>
        <source>Licences</source>
        <translation>Licences</translation>
    </message>
    <message>
        <source>Which licence</source>
        <translation>Quelle licence</translation>
    </message>
    <message>
        <source>Its text</source>
        <translation>Son texte</translation>
    </message>
    <message>
        <source>This text cannot be read: {reason}.</source>
        <translation>Ce texte ne peut pas être lu&#xa0;: {reason}.</translation>
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
        <translation>Le projet intégré&#xa0;: d’où il vient</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Bibliothèques</translation>
    </message>
    <message>
        <source>The windows are made with Qt, by the Qt Company and contributors, and with Qt for Python (PySide6). Idlebrush uses both under the GNU Lesser General Public License, version 3. They are separate files beside Idlebrush: you may replace them by versions of your own, and take them apart to find faults in your changes.

The licence: https://www.gnu.org/licenses/lgpl-3.0.html
The sources: https://download.qt.io/official_releases/QtForPython/</source>
        <translation>Les fenêtres sont faites avec Qt, par la Qt Company et ses contributeurs, et avec Qt for Python (PySide6). Idlebrush utilise les deux selon la licence publique générale limitée GNU, version 3. Ce sont des fichiers séparés à côté d’Idlebrush&#xa0;: vous pouvez les remplacer par vos propres versions, et les désassembler pour trouver des défauts dans vos modifications.

La licence&#xa0;: https://www.gnu.org/licenses/lgpl-3.0.html
Les sources&#xa0;: https://download.qt.io/official_releases/QtForPython/</translation>
    </message>
    <message>
        <source>see its package</source>
        <translation>voir son paquet</translation>
    </message>
</context>
<context>
    <name>LineChart</name>
    <message>
        <source>From {first} at {start} to {last} at {end}; the lowest is {low}, the highest {high}. Arrow keys read single values.</source>
        <translation>De {first} à {start} jusqu’à {last} à {end}&#xa0;; la valeur la plus basse est {low}, la plus haute {high}. Les flèches lisent les valeurs une à une.</translation>
    </message>
</context>
<context>
    <name>Lines</name>
    <message>
        <source>{button}: {what}</source>
        <extracomment>Of a button such as &quot;Change this&quot;: {what} is what it helps against.</extracomment>
        <translation>{button}&#xa0;: {what}</translation>
    </message>
</context>
<context>
    <name>LinkWay</name>
    <message>
        <source>Link to the run</source>
        <translation>Lien du projet</translation>
    </message>
    <message>
        <source>Look at it</source>
        <translation>Examiner</translation>
    </message>
    <message>
        <source>That is not a link to a run: such a link begins with idlebrush: or https://</source>
        <translation>Ce n’est pas le lien d’un projet&#xa0;: un tel lien commence par idlebrush: ou https://</translation>
    </message>
</context>
<context>
    <name>Log</name>
    <message>
        <source>Detail</source>
        <translation>Détail</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>Info</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Avertissement</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Erreur</translation>
    </message>
</context>
<context>
    <name>LogPage</name>
    <message>
        <source>Copy</source>
        <translation>Copier</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ouvrir le dossier</translation>
    </message>
    <message>
        <source>This log cannot be read</source>
        <translation>Ce journal ne peut pas être lu</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Aucun résultat</translation>
    </message>
    <message>
        <source>No line at this level contains these words.</source>
        <translation>Aucune ligne de ce niveau ne contient ces mots.</translation>
    </message>
    <message>
        <source>Nothing here yet</source>
        <translation>Rien ici pour l’instant</translation>
    </message>
    <message>
        <source>What happens is recorded here.</source>
        <translation>Ce qui se passe est noté ici.</translation>
    </message>
    <message>
        <source>Copies the selected lines, or all that are shown</source>
        <translation>Copie les lignes sélectionnées, ou toutes celles qui sont affichées</translation>
    </message>
    <message>
        <source>The selected lines in full</source>
        <translation>Les lignes sélectionnées en entier</translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message>
        <source>Lines of the log</source>
        <translation>Lignes du journal</translation>
    </message>
</context>
<context>
    <name>LossCurve</name>
    <message>
        <source>How the loss falls</source>
        <translation>Comment l’erreur diminue</translation>
    </message>
    <message>
        <source>The curve begins with the swarm&apos;s first epoch.</source>
        <translation>La courbe commence avec la première époque de l’essaim.</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Époque</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Erreur (perte)</translation>
    </message>
    <message>
        <source>Now {loss}, at the beginning {first}</source>
        <translation>Maintenant {loss}, au début {first}</translation>
    </message>
</context>
<context>
    <name>Mosaic</name>
    <message>
        <source>A sunset over the sea, painted in small strokes that come out of noise</source>
        <translation>Un coucher de soleil sur la mer, peint à petites touches qui sortent du bruit</translation>
    </message>
</context>
<context>
    <name>NamesEditor</name>
    <message>
        <source>Name of a program</source>
        <translation>Nom d’un programme</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Ajouter</translation>
    </message>
</context>
<context>
    <name>Navigation</name>
    <message>
        <source>Pages</source>
        <translation>Pages</translation>
    </message>
</context>
<context>
    <name>Notifications</name>
    <message>
        <source>Something needs your attention</source>
        <translation>Votre attention est requise</translation>
    </message>
    <message>
        <source>You were signed out</source>
        <translation>Vous avez été déconnecté</translation>
    </message>
    <message>
        <source>Idlebrush needs your attention</source>
        <translation>Idlebrush demande votre attention</translation>
    </message>
    <message>
        <source>You are at rank {rank} of {of} in “{run}”.</source>
        <translation>Vous êtes au rang {rank} sur {of} dans «&#xa0;{run}&#xa0;».</translation>
    </message>
    <message>
        <source>Your best rank so far</source>
        <translation>Votre meilleur rang à ce jour</translation>
    </message>
    <message>
        <source>“{run}” has done all of its epochs. Have a look at its pictures.</source>
        <translation>«&#xa0;{run}&#xa0;» a terminé toutes ses époques. Venez voir ses images.</translation>
    </message>
    <message>
        <source>The run is complete</source>
        <translation>Le projet est terminé</translation>
    </message>
</context>
<context>
    <name>NowPage</name>
    <message>
        <source>Nothing to train yet</source>
        <translation>Rien à entraîner pour l’instant</translation>
    </message>
    <message>
        <source>Join a run, and this computer helps to teach a model to paint whenever you do not need it.</source>
        <translation>Rejoignez un projet, et cet ordinateur aidera un modèle à apprendre à peindre quand vous n’en avez pas besoin.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Choisir un projet</translation>
    </message>
    <message>
        <source>Once Idlebrush runs in the background, you see here what it does.</source>
        <translation>Dès qu’Idlebrush fonctionne en arrière-plan, vous voyez ici ce qu’il fait.</translation>
    </message>
    <message>
        <source>One moment</source>
        <translation>Un instant</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Non connecté</translation>
    </message>
</context>
<context>
    <name>NowReasons</name>
    <message>
        <source>Resume</source>
        <translation>Reprendre</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Choisir un projet</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Se connecter</translation>
    </message>
    <message>
        <source>Sign in to this run</source>
        <translation>Se connecter à ce projet</translation>
    </message>
    <message>
        <source>Change this</source>
        <translation>Modifier</translation>
    </message>
    <message>
        <source>Open the gallery</source>
        <translation>Ouvrir la galerie</translation>
    </message>
    <message>
        <source>Open the log</source>
        <translation>Ouvrir le journal</translation>
    </message>
</context>
<context>
    <name>NowView</name>
    <message>
        <source>Training waits for data {percent} of the time</source>
        <translation>L’entraînement attend des données pendant {percent} du temps</translation>
    </message>
    <message>
        <source>The connection, or the limit you set for it, is slower than this computer.</source>
        <translation>La connexion, ou la limite que vous lui avez fixée, est plus lente que cet ordinateur.</translation>
    </message>
    <message>
        <source>{gathered} of {target} samples</source>
        <translation>{gathered} exemples sur {target}</translation>
    </message>
    <message>
        <source>{count} by you</source>
        <translation>{count} de vous</translation>
    </message>
    <message>
        <source>Epoch {epoch}</source>
        <translation>Époque {epoch}</translation>
    </message>
    <message>
        <source>Epoch {epoch} of {total}</source>
        <translation>Époque {epoch} sur {total}</translation>
    </message>
    <message>
        <source>About {duration} to go</source>
        <translation>Encore environ {duration}</translation>
    </message>
    <message>
        <source>The swarm&apos;s pace</source>
        <translation>Rythme de l’essaim</translation>
    </message>
    <message>
        <source>Your pace</source>
        <translation>Votre rythme</translation>
    </message>
    <message>
        <source>Your samples in this epoch</source>
        <translation>Vos exemples dans cette époque</translation>
    </message>
    <message>
        <source>Your samples today</source>
        <translation>Vos exemples aujourd’hui</translation>
    </message>
    <message>
        <source>Peers in the swarm</source>
        <translation>Ordinateurs dans l’essaim</translation>
    </message>
    <message>
        <source>Your rank among {total}</source>
        <translation>Votre rang parmi {total}</translation>
    </message>
    <message>
        <source>samples per hour</source>
        <translation>exemples par heure</translation>
    </message>
    <message>
        <source>samples per second</source>
        <translation>exemples par seconde</translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) for pictures wait for gaps in training</source>
        <translation>
            <numerusform>%Ln demande d’images attend un creux de l’entraînement</numerusform>
            <numerusform>%Ln demandes d’images attendent un creux de l’entraînement</numerusform>
        </translation>
    </message>
    <message>
        <source>How this computer trains</source>
        <translation>L’entraînement sur cet ordinateur</translation>
    </message>
    <message numerus="yes">
        <source>On the GPU, %Ln sample(s) at a time: {gpu_memory} of its memory, and {memory} of main memory.</source>
        <translation>
            <numerusform>Sur le GPU, %Ln exemple à la fois&#xa0;: {gpu_memory} de sa mémoire et {memory} de mémoire vive.</numerusform>
            <numerusform>Sur le GPU, %Ln exemples à la fois&#xa0;: {gpu_memory} de sa mémoire et {memory} de mémoire vive.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>On the processor, %Ln sample(s) at a time: {memory} of memory.</source>
        <translation>
            <numerusform>Sur le processeur, %Ln exemple à la fois&#xa0;: {memory} de mémoire.</numerusform>
            <numerusform>Sur le processeur, %Ln exemples à la fois&#xa0;: {memory} de mémoire.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NumberEditor</name>
    <message>
        <source>Unit of “{preference}”</source>
        <translation>Unité de «&#xa0;{preference}&#xa0;»</translation>
    </message>
    <message>
        <source>{preference}: {word}</source>
        <translation>{preference}&#xa0;: {word}</translation>
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
        <translation>{preference}&#xa0;: {word}</translation>
    </message>
</context>
<context>
    <name>Order</name>
    <message>
        <source>No model can read this.</source>
        <translation>Aucun modèle ne pourrait lire cela.</translation>
    </message>
    <message>
        <source>Say in plain words what the picture should show.</source>
        <translation>Dites en mots simples ce que l’image doit montrer.</translation>
    </message>
    <message>
        <source>Say what the pictures should show.</source>
        <translation>Dites ce que les images doivent montrer.</translation>
    </message>
    <message>
        <source>That is too long. A few words do best.</source>
        <translation>C’est trop long. Quelques mots suffisent.</translation>
    </message>
</context>
<context>
    <name>Outcome</name>
    <message>
        <source>See how its pictures came about</source>
        <translation>Voir comment ses images sont nées</translation>
    </message>
    <message>
        <source>All {epochs} epochs are done</source>
        <translation>Les {epochs} époques sont terminées</translation>
    </message>
    <message>
        <source>Thank you: “{run}” was trained by everybody who took part, and you are one of them.</source>
        <translation>Merci&#xa0;: «&#xa0;{run}&#xa0;» a été entraîné par tous ceux qui y ont pris part, et vous en êtes.</translation>
    </message>
</context>
<context>
    <name>OwnPictures</name>
    <message>
        <source>Show older pictures</source>
        <translation>Afficher des images plus anciennes</translation>
    </message>
    <message>
        <source>“{prompt}” is drawn</source>
        <translation>«&#xa0;{prompt}&#xa0;» est dessiné</translation>
    </message>
    <message>
        <source>Nothing drawn yet</source>
        <translation>Rien de dessiné pour l’instant</translation>
    </message>
    <message>
        <source>Type a few words above. The model draws many pictures and keeps the best.</source>
        <translation>Tapez quelques mots ci-dessus. Le modèle dessine beaucoup d’images et garde les meilleures.</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Pas encore de projet</translation>
    </message>
    <message>
        <source>Choose a run: its model draws what you ask for.</source>
        <translation>Choisissez un projet&#xa0;: son modèle dessine ce que vous demandez.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Choisir un projet</translation>
    </message>
    <message>
        <source>“{prompt}” could not be drawn</source>
        <translation>«&#xa0;{prompt}&#xa0;» n’a pas pu être dessiné</translation>
    </message>
    <message>
        <source>Your pictures cannot be read</source>
        <translation>Vos images ne peuvent pas être lues</translation>
    </message>
</context>
<context>
    <name>Plan</name>
    <message>
        <source>This run needs more memory than this computer can give.</source>
        <translation>Ce projet demande plus de mémoire que cet ordinateur ne peut en donner.</translation>
    </message>
    <message>
        <source>Trains on {device} with {gpu_memory} of its memory and {memory} of main memory.</source>
        <extracomment>{gpu_memory} and {memory} are such as &quot;5.2 GB&quot;.</extracomment>
        <translation>Entraînement sur {device} avec {gpu_memory} de sa mémoire et {memory} de mémoire vive.</translation>
    </message>
    <message>
        <source>Trains on the processor with {memory} of memory.</source>
        <translation>Entraînement sur le processeur avec {memory} de mémoire.</translation>
    </message>
    <message>
        <source>16-bit numbers (bfloat16)</source>
        <translation>nombres sur 16 bits (bfloat16)</translation>
    </message>
    <message>
        <source>16-bit numbers (float16)</source>
        <translation>nombres sur 16 bits (float16)</translation>
    </message>
    <message>
        <source>computing intermediate results again instead of keeping them</source>
        <translation>recalculer les résultats intermédiaires au lieu de les garder</translation>
    </message>
    <message>
        <source>rebuilding intermediate results backwards instead of keeping them</source>
        <translation>reconstruire les résultats intermédiaires à rebours au lieu de les garder</translation>
    </message>
    <message>
        <source>computing the loss in parts</source>
        <translation>calculer l’erreur (perte) par morceaux</translation>
    </message>
    <message>
        <source>an 8-bit optimizer</source>
        <translation>un optimiseur sur 8 bits</translation>
    </message>
    <message>
        <source>the optimizer in main memory</source>
        <translation>l’optimiseur en mémoire vive</translation>
    </message>
</context>
<context>
    <name>PlayBar</name>
    <message>
        <source>Play the time-lapse</source>
        <translation>Lire l’accéléré</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Époque</translation>
    </message>
    <message>
        <source>Pause the time-lapse</source>
        <translation>Mettre l’accéléré en pause</translation>
    </message>
    <message>
        <source>Epoch {epoch}</source>
        <translation>Époque {epoch}</translation>
    </message>
</context>
<context>
    <name>Plot</name>
    <message>
        <source>Nothing to show yet</source>
        <translation>Rien à montrer pour l’instant</translation>
    </message>
</context>
<context>
    <name>Preferences</name>
    <message>
        <source>When to train</source>
        <translation>Quand l’entraînement a lieu</translation>
    </message>
    <message>
        <source>While you use the computer</source>
        <translation>Quand vous utilisez l’ordinateur</translation>
    </message>
    <message>
        <source>Battery and heat</source>
        <translation>Batterie et chaleur</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>Autres programmes</translation>
    </message>
    <message>
        <source>How much to use</source>
        <translation>Ressources à utiliser</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Mémoire</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Réseau</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Démarrage</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Entraînement</translation>
    </message>
    <message>
        <source>Hours of the week</source>
        <translation>Heures d’entraînement</translation>
    </message>
    <message>
        <source>Not in use after</source>
        <translation>Considéré comme inutilisé après</translation>
    </message>
    <message>
        <source>Processor while in use</source>
        <translation>Processeur pendant l’utilisation</translation>
    </message>
    <message>
        <source>GPU while in use</source>
        <translation>GPU pendant l’utilisation</translation>
    </message>
    <message>
        <source>Pause for full-screen applications</source>
        <translation>Pause pour les applications en plein écran</translation>
    </message>
    <message>
        <source>Pause for videos</source>
        <translation>Pause pour les vidéos</translation>
    </message>
    <message>
        <source>On battery</source>
        <translation>Sur batterie</translation>
    </message>
    <message>
        <source>Lowest charge</source>
        <translation>Charge minimale</translation>
    </message>
    <message>
        <source>Hottest processor</source>
        <translation>Température maximale du processeur</translation>
    </message>
    <message>
        <source>Hottest GPU</source>
        <translation>Température maximale du GPU</translation>
    </message>
    <message>
        <source>Processor used by others</source>
        <translation>Processeur utilisé par d’autres programmes</translation>
    </message>
    <message>
        <source>GPU used by others</source>
        <translation>GPU utilisé par d’autres programmes</translation>
    </message>
    <message>
        <source>Exclusive applications</source>
        <translation>Applications prioritaires</translation>
    </message>
    <message>
        <source>Share of the time</source>
        <translation>Part du temps</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>Fils d’exécution du processeur</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Disk for runs</source>
        <translation>Espace disque pour les projets</translation>
    </message>
    <message>
        <source>Disk left free</source>
        <translation>Espace disque à laisser libre</translation>
    </message>
    <message>
        <source>Memory for training</source>
        <translation>Mémoire pour l’entraînement</translation>
    </message>
    <message>
        <source>Memory left free</source>
        <translation>Mémoire à laisser libre</translation>
    </message>
    <message>
        <source>GPU memory for training</source>
        <translation>Mémoire GPU pour l’entraînement</translation>
    </message>
    <message>
        <source>GPU memory for others</source>
        <translation>Mémoire GPU pour les autres</translation>
    </message>
    <message>
        <source>Stay in memory for</source>
        <translation>Rester en mémoire pendant</translation>
    </message>
    <message>
        <source>Free the GPU at every pause</source>
        <translation>Libérer le GPU à chaque pause</translation>
    </message>
    <message>
        <source>Upload speed</source>
        <translation>Vitesse d’envoi</translation>
    </message>
    <message>
        <source>Download speed</source>
        <translation>Vitesse de réception</translation>
    </message>
    <message>
        <source>Traffic in a month</source>
        <translation>Trafic par mois</translation>
    </message>
    <message>
        <source>Pause on metered connections</source>
        <translation>Pause sur les connexions limitées</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation>Démarrer à l’ouverture de session</translation>
    </message>
    <message>
        <source>“Always” ignores what is only for your convenience, and still respects what protects the computer and your bill: heat, memory, disk, lowest charge, metered connections and the month&apos;s traffic.</source>
        <translation>«&#xa0;Toujours&#xa0;» ignore ce qui ne sert que votre confort, mais respecte ce qui protège l’ordinateur et votre facture&#xa0;: chaleur, mémoire, disque, charge minimale, connexions limitées et trafic du mois.</translation>
    </message>
    <message>
        <source>The hours of the week in which to train, in local time.</source>
        <translation>Les heures de la semaine où l’entraînement a lieu, en heure locale.</translation>
    </message>
    <message>
        <source>How long keyboard and mouse must stay untouched before the computer counts as not in use.</source>
        <translation>Le temps sans toucher au clavier ni à la souris après lequel l’ordinateur est considéré comme inutilisé.</translation>
    </message>
    <message>
        <source>What happens to training on the processor while you use the computer: it pauses, or goes on for this share of the time.</source>
        <translation>Ce que devient l’entraînement sur le processeur quand vous utilisez l’ordinateur&#xa0;: il fait une pause, ou continue pendant cette part du temps.</translation>
    </message>
    <message>
        <source>What happens to training on a GPU while you use the computer: it pauses, or goes on for this share of the time.</source>
        <translation>Ce que devient l’entraînement sur un GPU quand vous utilisez l’ordinateur&#xa0;: il fait une pause, ou continue pendant cette part du temps.</translation>
    </message>
    <message>
        <source>Pause while an application fills the screen, such as a game.</source>
        <translation>Pause quand une application remplit l’écran, comme un jeu.</translation>
    </message>
    <message>
        <source>Pause while an application keeps the screen on, such as a video player.</source>
        <translation>Pause quand une application garde l’écran allumé, comme un lecteur vidéo.</translation>
    </message>
    <message>
        <source>Whether training pauses while the computer runs on its battery.</source>
        <translation>Mettre ou non l’entraînement en pause quand l’ordinateur est sur batterie.</translation>
    </message>
    <message>
        <source>Training pauses below this charge, where it is allowed on battery.</source>
        <translation>L’entraînement fait une pause sous cette charge, s’il est permis sur batterie.</translation>
    </message>
    <message>
        <source>Pause while the processor is hotter than this, until it has cooled by 5 °C.</source>
        <translation>Pause quand le processeur dépasse cette température, jusqu’à ce qu’il ait refroidi de 5&#xa0;°C.</translation>
    </message>
    <message>
        <source>Pause while the GPU is hotter than this, until it has cooled by 5 °C.</source>
        <translation>Pause quand le GPU dépasse cette température, jusqu’à ce qu’il ait refroidi de 5&#xa0;°C.</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this of all processor cores.</source>
        <translation>Pause quand d’autres programmes utilisent plus que cette part de tous les cœurs du processeur.</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this of the GPU that trains.</source>
        <translation>Pause quand d’autres programmes utilisent plus que cette part du GPU d’entraînement.</translation>
    </message>
    <message>
        <source>Nothing trains while one of these applications runs. Give the names of their programs.</source>
        <translation>Pas d’entraînement tant qu’une de ces applications est ouverte. Donnez les noms de leurs programmes.</translation>
    </message>
    <message>
        <source>Never compute for more than this share of the time. Short breaks between steps make less heat and noise.</source>
        <translation>Ne jamais calculer pendant plus que cette part du temps. De courtes pauses entre les étapes réduisent la chaleur et le bruit.</translation>
    </message>
    <message>
        <source>How many threads of the processor to train with. Automatic: all cores but one, or four beside a GPU.</source>
        <translation>Nombre de fils d’exécution du processeur à utiliser. Automatique&#xa0;: tous les cœurs sauf un, ou quatre à côté d’un GPU.</translation>
    </message>
    <message>
        <source>Which GPUs may train, by their numbers, counted from 0 and separated by commas.</source>
        <translation>Les GPU à utiliser&#xa0;: leurs numéros, comptés à partir de 0 et séparés par des virgules.</translation>
    </message>
    <message>
        <source>The most that runs may take of the disk.</source>
        <translation>Espace disque maximal pour les projets.</translation>
    </message>
    <message>
        <source>Pause while less than this is free on the disk.</source>
        <translation>Pause quand il reste moins d’espace libre sur le disque.</translation>
    </message>
    <message>
        <source>The most memory (RAM) that training may take.</source>
        <translation>Mémoire vive (RAM) maximale pour l’entraînement.</translation>
    </message>
    <message>
        <source>Give all memory back when less than this is left for other programs.</source>
        <translation>Rendre toute la mémoire quand il en reste moins pour les autres programmes.</translation>
    </message>
    <message>
        <source>The most GPU memory that training may take.</source>
        <translation>Mémoire GPU maximale pour l’entraînement.</translation>
    </message>
    <message>
        <source>GPU memory kept for other programs. When they need more than that, training ends at once and gives all of its own back.</source>
        <translation>Mémoire GPU gardée pour les autres programmes. S’il leur en faut plus, l’entraînement s’arrête aussitôt et rend toute la sienne.</translation>
    </message>
    <message>
        <source>How long a pause may last before training gives its memory back.</source>
        <translation>Combien de temps une pause peut durer avant que l’entraînement rende sa mémoire.</translation>
    </message>
    <message>
        <source>Give GPU memory back at every pause. Going on then takes longer.</source>
        <translation>Rendre la mémoire GPU à chaque pause. Reprendre est alors plus long.</translation>
    </message>
    <message>
        <source>The fastest that training may send.</source>
        <translation>Vitesse d’envoi maximale pour l’entraînement.</translation>
    </message>
    <message>
        <source>The fastest that training may receive.</source>
        <translation>Vitesse de réception maximale pour l’entraînement.</translation>
    </message>
    <message>
        <source>The most that training may send and receive together in a calendar month.</source>
        <translation>Total maximal envoyé et reçu par l’entraînement en un mois civil.</translation>
    </message>
    <message>
        <source>Pause while the connection is metered, such as a phone&apos;s.</source>
        <translation>Pause quand la connexion est limitée, comme celle d’un téléphone.</translation>
    </message>
    <message>
        <source>Where other peers reach this computer. Automatic: any port that is free.</source>
        <translation>Le port par lequel les autres participants joignent cet ordinateur. Automatique&#xa0;: n’importe quel port libre.</translation>
    </message>
    <message>
        <source>Start Idlebrush, in the background, when you log in.</source>
        <translation>Démarrer Idlebrush, en arrière-plan, à l’ouverture de votre session.</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Toujours</translation>
    </message>
    <message>
        <source>As set here</source>
        <translation>Comme réglé ici</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Jamais</translation>
    </message>
    <message>
        <source>At all hours</source>
        <translation>À toute heure</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Tous</translation>
    </message>
    <message>
        <source>Unlimited</source>
        <translation>Illimité</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Désactivé</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Activé</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatique</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Aucun</translation>
    </message>
</context>
<context>
    <name>PreferencesPage</name>
    <message>
        <source>Search the preferences</source>
        <translation>Rechercher dans les préférences</translation>
    </message>
    <message>
        <source>No such preference</source>
        <translation>Aucune préférence de ce genre</translation>
    </message>
    <message>
        <source>Try another word.</source>
        <translation>Essayez un autre mot.</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Tout afficher</translation>
    </message>
</context>
<context>
    <name>Privacy</name>
    <message>
        <source>Other volunteers</source>
        <translation>Les autres bénévoles</translation>
    </message>
    <message>
        <source>The run&apos;s coordinator</source>
        <translation>Le coordinateur du projet</translation>
    </message>
    <message>
        <source>Nobody</source>
        <translation>Personne</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU by its memory), how fast you train, the gradients you send, and the user name by which you were admitted.</source>
        <translation>Votre adresse IP, un identifiant de pair aléatoire, votre type de matériel (un processeur, ou un GPU selon sa mémoire), votre vitesse d’entraînement, les gradients que vous envoyez, et le nom d’utilisateur sous lequel vous avez été admis.</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU by its memory), how fast you train, and the gradients you send. No name.</source>
        <translation>Votre adresse IP, un identifiant de pair aléatoire, votre type de matériel (un processeur, ou un GPU selon sa mémoire), votre vitesse d’entraînement, et les gradients que vous envoyez. Aucun nom.</translation>
    </message>
    <message>
        <source>Your user name and how much your computers do. It is on the leaderboard unless you hide it. The coordinator gets a proof made for it alone, and never your token.</source>
        <translation>Votre nom d’utilisateur et ce que font vos ordinateurs. Il figure au classement, sauf si vous le masquez. Le coordinateur reçoit une preuve faite pour lui seul, et jamais votre jeton.</translation>
    </message>
    <message>
        <source>That a computer with your address takes part, and how much it does.</source>
        <translation>Qu’un ordinateur à votre adresse participe, et combien il calcule.</translation>
    </message>
    <message>
        <source>If you sign in: that you did. Your token stays on this computer and goes to nobody but the Hub. Data and files of a run that are kept on the Hub are fetched from there.</source>
        <translation>Si vous vous connectez&#xa0;: que vous l’avez fait. Votre jeton reste sur cet ordinateur et n’est transmis qu’au Hub. Les données et fichiers d’un projet conservés sur le Hub y sont téléchargés.</translation>
    </message>
    <message>
        <source>Your files, what you type, which programs you use. To get out of your way, Idlebrush asks the system how long ago there was input, but not which. That, and the prompts and pictures of your gallery, never leave this computer.</source>
        <translation>Vos fichiers, ce que vous tapez, les programmes que vous utilisez. Pour ne pas vous gêner, Idlebrush demande au système depuis combien de temps il n’y a pas eu de saisie, mais pas laquelle. Cela, et les textes et images de votre galerie, ne quittent jamais cet ordinateur.</translation>
    </message>
</context>
<context>
    <name>PrivacyCard</name>
    <message>
        <source>What others see</source>
        <translation>Ce que les autres voient</translation>
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
        <translation>Idlebrush ne fonctionne pas en arrière-plan</translation>
    </message>
    <message>
        <source>Start it to train and to see how things stand.</source>
        <translation>Démarrez-le pour lancer l’entraînement et voir où il en est.</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush ne répond pas</translation>
    </message>
    <message>
        <source>Wait a moment. If it stays silent, restart it.</source>
        <translation>Attendez un instant. S’il ne répond toujours pas, redémarrez-le.</translation>
    </message>
    <message>
        <source>Another version of Idlebrush is still running in the background</source>
        <translation>Une autre version d’Idlebrush fonctionne encore en arrière-plan</translation>
    </message>
    <message>
        <source>Restart it to use this version.</source>
        <translation>Redémarrez-le pour utiliser cette version.</translation>
    </message>
    <message>
        <source>The run does not let this computer take part</source>
        <translation>Le projet n’admet pas cet ordinateur</translation>
    </message>
    <message>
        <source>Idlebrush is already running</source>
        <translation>Idlebrush est déjà lancé</translation>
    </message>
    <message>
        <source>Idlebrush can no longer tell whether you are using the computer</source>
        <translation>Idlebrush ne sait plus si vous utilisez l’ordinateur</translation>
    </message>
    <message>
        <source>Start at login could not be changed</source>
        <translation>Le démarrage à l’ouverture de session n’a pas pu être modifié</translation>
    </message>
    <message>
        <source>A service of the desktop does not answer</source>
        <translation>Un service du bureau ne répond pas</translation>
    </message>
    <message>
        <source>A checkpoint of the run cannot be used</source>
        <translation>Un point de contrôle du projet est inutilisable</translation>
    </message>
    <message>
        <source>The trainer cannot be kept going</source>
        <translation>L’entraînement ne peut pas être maintenu en marche</translation>
    </message>
    <message>
        <source>The run&apos;s image codec cannot be used</source>
        <translation>Le codec d’images du projet est inutilisable</translation>
    </message>
    <message>
        <source>The run&apos;s coordinator cannot be reached</source>
        <translation>Le coordinateur du projet est injoignable</translation>
    </message>
    <message>
        <source>Idlebrush could not start in the background</source>
        <translation>Idlebrush n’a pas pu démarrer en arrière-plan</translation>
    </message>
    <message>
        <source>What runs in the background is not yours</source>
        <translation>Ce qui fonctionne en arrière-plan ne vous appartient pas</translation>
    </message>
    <message>
        <source>The run&apos;s training data cannot be used</source>
        <translation>Les données d’entraînement du projet sont inutilisables</translation>
    </message>
    <message>
        <source>The display does not answer as it should</source>
        <translation>L’affichage ne répond pas comme il devrait</translation>
    </message>
    <message>
        <source>A download did not succeed</source>
        <translation>Un téléchargement a échoué</translation>
    </message>
    <message>
        <source>That is not a length of time</source>
        <translation>Ce n’est pas une durée</translation>
    </message>
    <message>
        <source>The folder cannot be used</source>
        <translation>Le dossier est inutilisable</translation>
    </message>
    <message>
        <source>The run does not let you in</source>
        <translation>Le projet ne vous admet pas</translation>
    </message>
    <message>
        <source>The pictures could not be drawn</source>
        <translation>Les images n’ont pas pu être dessinées</translation>
    </message>
    <message>
        <source>A training step went wrong, and was not used</source>
        <translation>Une étape d’entraînement a échoué et n’a pas été utilisée</translation>
    </message>
    <message>
        <source>The Hugging Face Hub cannot be reached</source>
        <translation>Le Hugging Face Hub est injoignable</translation>
    </message>
    <message>
        <source>This run cannot be joined</source>
        <translation>Impossible de rejoindre ce projet</translation>
    </message>
    <message>
        <source>The keyring of your system does not work</source>
        <translation>Le trousseau de votre système ne fonctionne pas</translation>
    </message>
    <message>
        <source>The keyring of your system is locked</source>
        <translation>Le trousseau de votre système est verrouillé</translation>
    </message>
    <message>
        <source>The description of the run cannot be trusted</source>
        <translation>La description du projet n’est pas digne de confiance</translation>
    </message>
    <message>
        <source>Your membership of the run has ended</source>
        <translation>Votre adhésion au projet a pris fin</translation>
    </message>
    <message>
        <source>The memory that training needs cannot be planned</source>
        <translation>La mémoire nécessaire à l’entraînement ne peut pas être prévue</translation>
    </message>
    <message>
        <source>Your system has no keyring to keep the sign-in</source>
        <translation>Votre système n’a pas de trousseau pour garder la connexion</translation>
    </message>
    <message>
        <source>The NVIDIA driver does not answer</source>
        <translation>Le pilote NVIDIA ne répond pas</translation>
    </message>
    <message>
        <source>There is no NVIDIA driver</source>
        <translation>Il n’y a pas de pilote NVIDIA</translation>
    </message>
    <message>
        <source>This preference cannot be used</source>
        <translation>Cette préférence n’est pas valable</translation>
    </message>
    <message>
        <source>The pictures could not be ranked</source>
        <translation>Les images n’ont pas pu être notées</translation>
    </message>
    <message>
        <source>A receipt cannot be trusted</source>
        <translation>Un reçu n’est pas digne de confiance</translation>
    </message>
    <message>
        <source>You are signed out</source>
        <translation>Vous êtes déconnecté</translation>
    </message>
    <message>
        <source>The sign-in was not completed</source>
        <translation>La connexion n’a pas abouti</translation>
    </message>
    <message>
        <source>What Idlebrush remembers could not be read or saved</source>
        <translation>Ce qu’Idlebrush retient n’a pas pu être lu ou enregistré</translation>
    </message>
    <message>
        <source>The record of your contribution cannot be used</source>
        <translation>Le registre de votre contribution est inutilisable</translation>
    </message>
    <message>
        <source>The swarm cannot be reached</source>
        <translation>L’essaim est injoignable</translation>
    </message>
    <message>
        <source>The run&apos;s tokenizer cannot be used</source>
        <translation>Le tokeniseur du projet est inutilisable</translation>
    </message>
</context>
<context>
    <name>PromptForm</name>
    <message>
        <source>What to draw</source>
        <translation>Que dessiner</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Dessiner</translation>
    </message>
    <message>
        <source>usual</source>
        <translation>habituel</translation>
    </message>
    <message>
        <source>a new one</source>
        <translation>une nouvelle</translation>
    </message>
    <message>
        <source>What should it draw? Such as “{prompt}”</source>
        <extracomment>{prompt} is an example of what the model can draw, in the language of the run.</extracomment>
        <translation>Que doit-il dessiner&#xa0;? Par exemple «&#xa0;{prompt}&#xa0;»</translation>
    </message>
    <message>
        <source>What should it draw?</source>
        <translation>Que doit-il dessiner&#xa0;?</translation>
    </message>
    <message>
        <source>More options</source>
        <translation>Plus d’options</translation>
    </message>
    <message>
        <source>Fewer options</source>
        <translation>Moins d’options</translation>
    </message>
    <message>
        <source>Pictures to draw</source>
        <translation>Images à dessiner</translation>
    </message>
    <message>
        <source>Best to keep</source>
        <translation>Meilleures à garder</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Température</translation>
    </message>
    <message>
        <source>Lower is safer, higher more surprising</source>
        <translation>Plus bas est plus sûr, plus haut plus surprenant</translation>
    </message>
    <message>
        <source>Likeliest codes</source>
        <translation>Codes les plus probables</translation>
    </message>
    <message>
        <source>Each piece of a picture is chosen from this many of the likeliest codes (top-k)</source>
        <translation>Chaque morceau d’une image est tiré parmi ce nombre de codes les plus probables (top-k)</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Graine</translation>
    </message>
    <message>
        <source>The same seed and words give the same pictures</source>
        <translation>La même graine et les mêmes mots donnent les mêmes images</translation>
    </message>
</context>
<context>
    <name>ProspectPanel</name>
    <message>
        <source>Trying the run out</source>
        <translation>Essai du projet</translation>
    </message>
    <message>
        <source>Measure for a minute</source>
        <translation>Mesurer pendant une minute</translation>
    </message>
    <message>
        <source>Stop measuring</source>
        <translation>Arrêter la mesure</translation>
    </message>
    <message>
        <source>Learns to draw: {prompts}</source>
        <extracomment>{prompts} is a list such as &quot;red heart · pizza · rocket&quot;.</extracomment>
        <translation>Apprend à dessiner&#xa0;: {prompts}</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Mesurer à nouveau</translation>
    </message>
</context>
<context>
    <name>QrCode</name>
    <message>
        <source>QR code</source>
        <translation>Code QR</translation>
    </message>
</context>
<context>
    <name>Queue</name>
    <message>
        <source>Waiting for its turn</source>
        <translation>Attend son tour</translation>
    </message>
    <message>
        <source>Drawn between steps of training</source>
        <translation>Dessin entre les étapes d’entraînement</translation>
    </message>
    <message>
        <source>Paused, as training is</source>
        <translation>En pause, comme l’entraînement</translation>
    </message>
    <message>
        <source>Drawn when nothing else needs the computer</source>
        <translation>Dessin quand rien d’autre n’a besoin de l’ordinateur</translation>
    </message>
    <message>
        <source>Drawn gently while you use the computer</source>
        <translation>Dessin en douceur pendant que vous utilisez l’ordinateur</translation>
    </message>
    <message>
        <source>Being cancelled</source>
        <translation>Annulation en cours</translation>
    </message>
    <message numerus="yes">
        <source>%Ln picture(s)</source>
        <translation>
            <numerusform>%Ln image</numerusform>
            <numerusform>%Ln images</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QueueRow</name>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
</context>
<context>
    <name>QuitDialog</name>
    <message>
        <source>Quit Idlebrush</source>
        <translation>Quitter Idlebrush</translation>
    </message>
    <message>
        <source>Time taken, of the longest that it may take</source>
        <translation>Le temps écoulé, sur le temps maximal</translation>
    </message>
    <message>
        <source>&amp;Remember my answer</source>
        <translation>&amp;Retenir ma réponse</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Annuler</translation>
    </message>
    <message>
        <source>&amp;Stop training</source>
        <translation>Arrêter l’&amp;entraînement</translation>
    </message>
    <message>
        <source>&amp;Keep training</source>
        <translation>&amp;Continuer l’entraînement</translation>
    </message>
    <message>
        <source>Keep training while Idlebrush is closed?</source>
        <translation>Continuer l’entraînement quand Idlebrush est fermé&#xa0;?</translation>
    </message>
    <message>
        <source>In the background, this computer goes on as your preferences say, and you see what it did when you come back.</source>
        <translation>En arrière-plan, cet ordinateur continue selon vos préférences, et vous verrez à votre retour ce qu’il a fait.</translation>
    </message>
    <message>
        <source>Training stops</source>
        <translation>L’entraînement s’arrête</translation>
    </message>
    <message>
        <source>This computer is leaving the swarm. That takes a few seconds.</source>
        <translation>Cet ordinateur quitte l’essaim. Cela prend quelques secondes.</translation>
    </message>
    <message>
        <source>&amp;Do not wait</source>
        <translation>&amp;Ne pas attendre</translation>
    </message>
    <message>
        <source>&amp;Quit anyway</source>
        <translation>&amp;Quitter quand même</translation>
    </message>
</context>
<context>
    <name>RanksCard</name>
    <message>
        <source>My rank over time</source>
        <translation>Mon rang au fil du temps</translation>
    </message>
    <message>
        <source>It is looked up now and then while this computer trains.</source>
        <translation>Il est consulté de temps en temps pendant l’entraînement sur cet ordinateur.</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message>
        <source>your hours allow it again from {moment}</source>
        <translation>hors de vos heures d’entraînement (reprise&#xa0;: {moment})</translation>
    </message>
    <message>
        <source>{programs} fills the screen</source>
        <extracomment>{programs} is the name of a program, or several with commas between them.</extracomment>
        <translation>{programs} remplit l’écran</translation>
    </message>
    <message>
        <source>{programs} must not be disturbed</source>
        <translation>{programs} ne doit pas être dérangé</translation>
    </message>
    <message>
        <source>{programs} keeps the screen on</source>
        <translation>{programs} garde l’écran allumé</translation>
    </message>
    <message>
        <source>you have not agreed to train yet</source>
        <extracomment>All of these follow &quot;Paused: &quot; or &quot;Slowed to 50%: &quot;, and also stand alone, capitalised.</extracomment>
        <translation>vous n’avez pas encore accepté l’entraînement</translation>
    </message>
    <message>
        <source>you chose never to train</source>
        <translation>vous avez choisi «&#xa0;Jamais&#xa0;»</translation>
    </message>
    <message>
        <source>you paused it until you resume</source>
        <translation>vous l’avez mis en pause jusqu’à nouvel ordre</translation>
    </message>
    <message>
        <source>you paused it for a while</source>
        <translation>vous l’avez mis en pause pour un moment</translation>
    </message>
    <message>
        <source>another run is being tried out</source>
        <translation>un autre projet est à l’essai</translation>
    </message>
    <message>
        <source>you are using the computer</source>
        <translation>vous utilisez l’ordinateur</translation>
    </message>
    <message>
        <source>an application fills the screen</source>
        <translation>une application remplit l’écran</translation>
    </message>
    <message>
        <source>one of your exclusive applications is running</source>
        <translation>une de vos applications prioritaires est ouverte</translation>
    </message>
    <message>
        <source>an application keeps the screen on</source>
        <translation>une application garde l’écran allumé</translation>
    </message>
    <message>
        <source>another program needs the memory of the GPU</source>
        <translation>un autre programme a besoin de la mémoire du GPU</translation>
    </message>
    <message>
        <source>memory is short</source>
        <translation>la mémoire manque</translation>
    </message>
    <message>
        <source>other programs keep the processor busy</source>
        <translation>d’autres programmes occupent le processeur</translation>
    </message>
    <message>
        <source>other programs keep the GPU busy</source>
        <translation>d’autres programmes occupent le GPU</translation>
    </message>
    <message>
        <source>the processor has to cool down</source>
        <translation>le processeur doit refroidir</translation>
    </message>
    <message>
        <source>the GPU has to cool down</source>
        <translation>le GPU doit refroidir</translation>
    </message>
    <message>
        <source>the computer runs on its battery</source>
        <translation>l’ordinateur est sur batterie</translation>
    </message>
    <message>
        <source>the battery is low</source>
        <translation>la batterie est faible</translation>
    </message>
    <message>
        <source>it is outside your hours</source>
        <translation>hors de vos heures d’entraînement</translation>
    </message>
    <message>
        <source>the network connection is metered</source>
        <translation>la connexion réseau est limitée</translation>
    </message>
    <message>
        <source>the traffic you allow in a month is used up</source>
        <translation>le trafic que vous permettez par mois est épuisé</translation>
    </message>
    <message>
        <source>the disk is nearly full</source>
        <translation>le disque est presque plein</translation>
    </message>
    <message>
        <source>runs take as much of the disk as you allow</source>
        <translation>les projets prennent autant de disque que vous le permettez</translation>
    </message>
    <message>
        <source>you let it compute for only part of the time</source>
        <translation>vous ne le laissez calculer qu’une part du temps</translation>
    </message>
</context>
<context>
    <name>Row</name>
    <message>
        <source>Saved</source>
        <translation>Enregistré</translation>
    </message>
    <message>
        <source>Reset to the default</source>
        <translation>Rétablir la valeur par défaut</translation>
    </message>
    <message>
        <source>Reset “{preference}” to its default</source>
        <translation>Rétablir la valeur par défaut de «&#xa0;{preference}&#xa0;»</translation>
    </message>
    <message>
        <source>{preference}: saved</source>
        <translation>{preference}&#xa0;: enregistré</translation>
    </message>
</context>
<context>
    <name>RunPictures</name>
    <message>
        <source>Open the folder of the pictures</source>
        <translation>Ouvrir le dossier des images</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
    </message>
    <message>
        <source>The run&apos;s pictures cannot be read</source>
        <translation>Les images du projet ne peuvent pas être lues</translation>
    </message>
    <message>
        <source>No pictures yet</source>
        <translation>Pas encore d’images</translation>
    </message>
    <message>
        <source>Every few epochs the model draws the run&apos;s prompts. They will appear here.</source>
        <translation>À quelques époques d’intervalle, le modèle illustre les textes du projet. Les images apparaîtront ici.</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Pas encore de projet</translation>
    </message>
    <message>
        <source>Choose a run, and watch its pictures get better here.</source>
        <translation>Choisissez un projet, et regardez ici ses images s’améliorer.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Choisir un projet</translation>
    </message>
</context>
<context>
    <name>RunScreen</name>
    <message>
        <source>Choose a run</source>
        <translation>Choisir un projet</translation>
    </message>
    <message>
        <source>A run is one model that many computers train together, for weeks or months.</source>
        <translation>Dans un projet, de nombreux ordinateurs entraînent ensemble un modèle, pendant des semaines ou des mois.</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>Sur cet ordinateur</translation>
    </message>
    <message>
        <source>A small run, to try it out alone</source>
        <translation>Un petit projet, pour essayer seul</translation>
    </message>
    <message>
        <source>From a link</source>
        <translation>Par un lien</translation>
    </message>
    <message>
        <source>From a run&apos;s website, or from a friend</source>
        <translation>Du site web d’un projet, ou d’un ami</translation>
    </message>
    <message>
        <source>From a file</source>
        <translation>Depuis un fichier</translation>
    </message>
    <message>
        <source>A run&apos;s description, such as run.toml</source>
        <translation>La description d’un projet, comme run.toml</translation>
    </message>
    <message>
        <source>Looking at the run</source>
        <translation>Examen du projet</translation>
    </message>
    <message>
        <source>Looking at the run, and at what this computer can give…</source>
        <translation>Examen du projet, et de ce que cet ordinateur peut donner…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
    </message>
    <message>
        <source>This run is too large for this computer</source>
        <translation>Ce projet est trop grand pour cet ordinateur</translation>
    </message>
    <message>
        <source>This computer already trains this run.</source>
        <translation>Cet ordinateur participe déjà à ce projet.</translation>
    </message>
</context>
<context>
    <name>SaveDialog</name>
    <message>
        <source>Save picture</source>
        <translation>Enregistrer l’image</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Images (*.png)</translation>
    </message>
</context>
<context>
    <name>Screen</name>
    <message>
        <source>Next</source>
        <translation>Suivant</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Clear the search</source>
        <translation>Effacer la recherche</translation>
    </message>
</context>
<context>
    <name>SignInScreen</name>
    <message>
        <source>Sign in, if you like</source>
        <translation>Connectez-vous, si vous voulez</translation>
    </message>
    <message>
        <source>Some runs admit only people whom they know by their account on the Hugging Face Hub. Open runs, and the one that comes with Idlebrush, need no account: you can skip this, and sign in later.</source>
        <translation>Certains projets n’admettent que les gens qu’ils connaissent par leur compte sur le Hugging Face Hub. Les projets ouverts, et celui fourni avec Idlebrush, ne demandent aucun compte&#xa0;: vous pouvez passer cette étape, et vous connecter plus tard.</translation>
    </message>
    <message>
        <source>With a code</source>
        <translation>Avec un code</translation>
    </message>
    <message>
        <source>With a token</source>
        <translation>Avec un jeton</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Se connecter</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Suivant</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Passer</translation>
    </message>
    <message>
        <source>You get a short code, and enter it in a browser, here or on your phone. Idlebrush never sees your password, and asks for nothing but your name.</source>
        <translation>Vous recevez un code court, et le saisissez dans un navigateur, ici ou sur votre téléphone. Idlebrush ne voit jamais votre mot de passe, et ne demande que votre nom.</translation>
    </message>
    <message>
        <source>Get a code</source>
        <translation>Obtenir un code</translation>
    </message>
    <message>
        <source>Sign out</source>
        <translation>Se déconnecter</translation>
    </message>
    <message>
        <source>Get a new code</source>
        <translation>Obtenir un nouveau code</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
    </message>
    <message>
        <source>Only until Idlebrush ends</source>
        <translation>Seulement jusqu’à la fermeture d’Idlebrush</translation>
    </message>
    <message>
        <source>In a file that only I can read</source>
        <translation>Dans un fichier que moi seul peux lire</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot keep your sign-in</source>
        <translation>Le trousseau de cet ordinateur ne peut pas garder votre connexion</translation>
    </message>
    <message>
        <source>Unlock it and try again, or choose where else to keep the sign-in.</source>
        <translation>Déverrouillez-le et réessayez, ou choisissez où garder la connexion.</translation>
    </message>
    <message>
        <source>Asking for a code…</source>
        <translation>Demande d’un code…</translation>
    </message>
    <message>
        <source>Signed in as {name}</source>
        <translation>Connecté en tant que {name}</translation>
    </message>
</context>
<context>
    <name>SingleApp</name>
    <message>
        <source>Idlebrush is already open, but does not answer.</source>
        <translation>Idlebrush est déjà ouvert, mais ne répond pas.</translation>
    </message>
    <message>
        <source>Wait a moment; if nothing changes, end process {pid} and start Idlebrush again.</source>
        <translation>Attendez un instant&#xa0;; si cela dure, arrêtez le processus {pid} et relancez Idlebrush.</translation>
    </message>
    <message>
        <source>The file {file} cannot be written.</source>
        <translation>Le fichier {file} ne peut pas être écrit.</translation>
    </message>
    <message>
        <source>Free some space, or set IDLEBRUSH_HOME to a folder of yours.</source>
        <translation>Libérez de la place, ou indiquez dans IDLEBRUSH_HOME un dossier à vous.</translation>
    </message>
</context>
<context>
    <name>Snooze</name>
    <message>
        <source>15 minutes</source>
        <translation>15 minutes</translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>1 heure</translation>
    </message>
    <message>
        <source>Until tomorrow</source>
        <translation>Jusqu’à demain</translation>
    </message>
</context>
<context>
    <name>StatusChip</name>
    <message>
        <source>Not running</source>
        <translation>À l’arrêt</translation>
    </message>
</context>
<context>
    <name>StepIndicator</name>
    <message>
        <source>Step {number} of {of}: {title}</source>
        <extracomment>Where one is in the first run, such as &quot;Step 2 of 5: Sign in&quot;.</extracomment>
        <translation>Étape {number} sur {of}&#xa0;: {title}</translation>
    </message>
</context>
<context>
    <name>StreakCard</name>
    <message>
        <source>Days in a row</source>
        <translation>Jours de suite</translation>
    </message>
</context>
<context>
    <name>TimesScreen</name>
    <message>
        <source>When may it train?</source>
        <translation>Quand l’entraînement peut-il avoir lieu&#xa0;?</translation>
    </message>
    <message>
        <source>These are good to begin with. You can change them, and many more, at any time.</source>
        <translation>C’est bien pour commencer. Vous pouvez changer ces réglages, et beaucoup d’autres, à tout moment.</translation>
    </message>
    <message>
        <source>When to train</source>
        <translation>Quand l’entraînement a lieu</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Entraînement</translation>
    </message>
    <message>
        <source>“Always” goes on while you use the computer.</source>
        <translation>«&#xa0;Toujours&#xa0;»&#xa0;: même quand vous utilisez l’ordinateur.</translation>
    </message>
    <message>
        <source>You are away after</source>
        <translation>Absent après</translation>
    </message>
    <message>
        <source>Without touching keyboard or mouse. When you come back, it stops at once.</source>
        <translation>Sans toucher au clavier ni à la souris. À votre retour, tout s’arrête aussitôt.</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>Heures d’entraînement</translation>
    </message>
    <message>
        <source>In local time.</source>
        <translation>En heure locale.</translation>
    </message>
    <message>
        <source>Heat and noise</source>
        <translation>Chaleur et bruit</translation>
    </message>
    <message>
        <source>With breaks between steps, the computer stays cooler and quieter.</source>
        <translation>Avec des pauses entre les étapes, l’ordinateur reste plus frais et plus silencieux.</translation>
    </message>
    <message>
        <source>Train on battery</source>
        <translation>Entraînement sur batterie</translation>
    </message>
    <message>
        <source>Otherwise it waits until the computer is plugged in.</source>
        <translation>Sinon, il attend que l’ordinateur soit branché.</translation>
    </message>
    <message>
        <source>Start when I log in</source>
        <translation>Démarrer à l’ouverture de ma session</translation>
    </message>
    <message>
        <source>In the background, without a window.</source>
        <translation>En arrière-plan, sans fenêtre.</translation>
    </message>
</context>
<context>
    <name>TokenPanel</name>
    <message>
        <source>Token</source>
        <translation>Jeton</translation>
    </message>
    <message>
        <source>Show the token</source>
        <translation>Afficher le jeton</translation>
    </message>
    <message>
        <source>Check it and sign in</source>
        <translation>Vérifier et se connecter</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Vérification…</translation>
    </message>
    <message>
        <source>Make a token</source>
        <translation>Créer un jeton</translation>
    </message>
    <message>
        <source>A read-only token is enough. It goes to the Hugging Face Hub and to nobody else.</source>
        <translation>Un jeton en lecture seule suffit. Il n’est transmis qu’au Hugging Face Hub.</translation>
    </message>
    <message>
        <source>Hide the token</source>
        <translation>Masquer le jeton</translation>
    </message>
</context>
<context>
    <name>Tools</name>
    <message>
        <source>Find in the log</source>
        <translation>Rechercher dans le journal</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>Suivre les nouvelles lignes</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>Messages</translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s)</source>
        <translation>
            <numerusform>%Ln ligne</numerusform>
            <numerusform>%Ln lignes</numerusform>
        </translation>
    </message>
    <message>
        <source>Which log</source>
        <translation>Quel journal</translation>
    </message>
    <message>
        <source>Which lines</source>
        <translation>Quelles lignes</translation>
    </message>
    <message>
        <source>All lines</source>
        <translation>Toutes les lignes</translation>
    </message>
    <message>
        <source>Without details</source>
        <translation>Sans les détails</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>Avertissements et erreurs</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Erreurs</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Open</source>
        <translation>Ouvrir</translation>
    </message>
</context>
<context>
    <name>TrayMenu</name>
    <message>
        <source>&amp;Open Idlebrush</source>
        <translation>&amp;Ouvrir Idlebrush</translation>
    </message>
    <message>
        <source>&amp;Finish this epoch</source>
        <translation>T&amp;erminer cette époque</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Quitter</translation>
    </message>
    <message>
        <source>&amp;Snooze</source>
        <translation>Pa&amp;use temporaire</translation>
    </message>
    <message>
        <source>Training &amp;mode</source>
        <translation>&amp;Mode d’entraînement</translation>
    </message>
    <message>
        <source>&amp;Always</source>
        <translation>&amp;Toujours</translation>
    </message>
    <message>
        <source>As my &amp;preferences say</source>
        <translation>Selon mes &amp;préférences</translation>
    </message>
    <message>
        <source>&amp;Never</source>
        <translation>&amp;Jamais</translation>
    </message>
    <message>
        <source>&amp;Gallery</source>
        <translation>&amp;Galerie</translation>
    </message>
    <message>
        <source>My &amp;contribution</source>
        <translation>Ma &amp;contribution</translation>
    </message>
    <message>
        <source>Pr&amp;eferences</source>
        <translation>Préf&amp;érences</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pause</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Reprendre</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>Réessa&amp;yer</translation>
    </message>
    <message>
        <source>&amp;Start in the background</source>
        <translation>&amp;Démarrer en arrière-plan</translation>
    </message>
    <message>
        <source>&amp;Restart in the background</source>
        <translation>&amp;Redémarrer en arrière-plan</translation>
    </message>
    <message>
        <source>&amp;Snoozed until {moment}</source>
        <translation>En pa&amp;use. Reprise&#xa0;: {moment}</translation>
    </message>
</context>
<context>
    <name>Trouble</name>
    <message>
        <source>Idlebrush is starting</source>
        <translation>Idlebrush démarre</translation>
    </message>
    <message>
        <source>Idlebrush does not run in the background</source>
        <translation>Idlebrush ne fonctionne pas en arrière-plan</translation>
    </message>
    <message>
        <source>Nothing is trained until you start it.</source>
        <translation>Pas d’entraînement tant que vous ne le démarrez pas.</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush ne répond pas</translation>
    </message>
    <message>
        <source>The computer may be very busy. What you see is what it last said.</source>
        <translation>L’ordinateur est peut-être très occupé. Vous voyez le dernier état connu.</translation>
    </message>
    <message>
        <source>Another version of Idlebrush runs in the background</source>
        <translation>Une autre version d’Idlebrush fonctionne en arrière-plan</translation>
    </message>
    <message>
        <source>Restart it so that both are the same version. Training goes on after that.</source>
        <translation>Redémarrez-le pour que les deux soient à la même version. L’entraînement continue ensuite.</translation>
    </message>
    <message>
        <source>Idlebrush runs as another user</source>
        <translation>Idlebrush fonctionne sous un autre utilisateur</translation>
    </message>
    <message>
        <source>Idlebrush could not be started</source>
        <translation>Idlebrush n’a pas pu être démarré</translation>
    </message>
    <message>
        <source>Start it</source>
        <translation>Démarrer</translation>
    </message>
    <message>
        <source>Restart it</source>
        <translation>Redémarrer</translation>
    </message>
</context>
<context>
    <name>Viewer</name>
    <message>
        <source>Back to all pictures</source>
        <translation>Retour à toutes les images</translation>
    </message>
    <message>
        <source>Previous picture</source>
        <translation>Image précédente</translation>
    </message>
    <message>
        <source>Next picture</source>
        <translation>Image suivante</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Welcome</source>
        <translation>Bienvenue</translation>
    </message>
    <message>
        <source>Let&apos;s begin</source>
        <translation>Commençons</translation>
    </message>
    <message>
        <source>Your computer can help a machine learn to paint</source>
        <translation>Votre ordinateur peut aider une machine à apprendre à peindre</translation>
    </message>
    <message>
        <source>While you are away, Idlebrush trains one model together with other people&apos;s computers. It turns words into pictures, and you can watch it get better.</source>
        <translation>En votre absence, Idlebrush entraîne un modèle avec les ordinateurs d’autres personnes. Il transforme des mots en images, et vous pouvez le voir s’améliorer.</translation>
    </message>
    <message>
        <source>What it will do</source>
        <translation>Ce qu’Idlebrush fera</translation>
    </message>
    <message>
        <source>What it won&apos;t do</source>
        <translation>Ce qu’Idlebrush ne fera pas</translation>
    </message>
    <message>
        <source>Give the computer back at once when you return to it.</source>
        <translation>Rendre l’ordinateur aussitôt quand vous y revenez.</translation>
    </message>
    <message>
        <source>Rest on battery, during games and videos, and when the computer gets hot.</source>
        <translation>Faire une pause sur batterie, pendant les jeux et les vidéos, et quand l’ordinateur chauffe.</translation>
    </message>
    <message>
        <source>Keep to the limits that you set for heat, noise, memory and bandwidth.</source>
        <translation>Respecter les limites que vous fixez pour la chaleur, le bruit, la mémoire et le débit.</translation>
    </message>
    <message>
        <source>Train anything before you have agreed to it, at the end of these five steps.</source>
        <translation>Entraîner quoi que ce soit avant votre accord, à la fin de ces cinq étapes.</translation>
    </message>
    <message>
        <source>Read or send your files. Others see this computer&apos;s Internet address and its speed.</source>
        <translation>Lire ou envoyer vos fichiers. Les autres voient l’adresse Internet de cet ordinateur et sa vitesse.</translation>
    </message>
    <message>
        <source>Run programs that others send. Computers exchange numbers, and nothing else.</source>
        <translation>Exécuter des programmes que d’autres envoient. Les ordinateurs échangent des nombres, et rien d’autre.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Langue</translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>Now</source>
        <translation>Maintenant</translation>
    </message>
    <message>
        <source>Gallery</source>
        <translation>Galerie</translation>
    </message>
    <message>
        <source>My contribution</source>
        <translation>Ma contribution</translation>
    </message>
    <message>
        <source>Leaderboard</source>
        <translation>Classement</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Préférences</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Journal</translation>
    </message>
    <message>
        <source>About</source>
        <translation>À propos</translation>
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
        <translation>Copier l’identifiant de pair</translation>
    </message>
    <message>
        <source>Peer ID of this computer</source>
        <translation>Identifiant de pair de cet ordinateur</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Copié</translation>
    </message>
</context>
<context>
    <name>_Pinned</name>
    <message>
        <source>Your row</source>
        <translation>Votre ligne</translation>
    </message>
</context>
<context>
    <name>_Tag</name>
    <message>
        <source>Remove {name}</source>
        <translation>Retirer {name}</translation>
    </message>
</context>
</TS>
