<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="fr_FR">
<context>
    <name>AboutHeader</name>
    <message>
        <source>Website of the run</source>
        <translation>Site web du projet</translation>
    </message>
    <message>
        <source>Handbook</source>
        <translation>Manuel</translation>
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
        <source>Idle computers together train a model that draws pictures or writes text.</source>
        <translation>Des ordinateurs inactifs entraînent ensemble un modèle qui dessine des images ou écrit des textes.</translation>
    </message>
</context>
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
        <source>This computer cannot train yet</source>
        <translation>Cet ordinateur ne peut pas encore s’entraîner</translation>
    </message>
    <message>
        <source>Waiting: the download of the packages for training is paused</source>
        <translation>En attente&#xa0;: le téléchargement des paquets pour l’entraînement est en pause</translation>
    </message>
    <message>
        <source>Waiting: the packages for training are being installed</source>
        <translation>En attente&#xa0;: les paquets pour l’entraînement sont en cours d’installation</translation>
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
        <source>Waiting: downloading the earlier checkpoint from which the run continues</source>
        <translation>En attente&#xa0;: téléchargement du point de contrôle antérieur d’où repart le projet</translation>
    </message>
    <message>
        <source>Waiting: no other computer has sent the state from which the run continues</source>
        <translation>En attente&#xa0;: aucun autre ordinateur n’a encore envoyé l’état à partir duquel le projet continue</translation>
    </message>
    <message>
        <source>Waiting: other computers are ahead, and none of them can send its state to this one</source>
        <translation>En attente&#xa0;: d’autres ordinateurs sont plus avancés, et aucun d’eux ne peut envoyer son état à celui-ci</translation>
    </message>
    <message>
        <source>Waiting: no computer of this run accepts connections</source>
        <translation>En attente&#xa0;: aucun ordinateur de ce projet n’accepte de connexions</translation>
    </message>
    <message>
        <source>Waiting: the other computers of this run cannot be reached</source>
        <translation>En attente&#xa0;: les autres ordinateurs de ce projet sont injoignables</translation>
    </message>
    <message>
        <source>Waiting: most computers at this epoch do not answer, so it cannot be agreed on</source>
        <translation>En attente : la plupart des ordinateurs de cette époque ne répondent pas, aucun accord n’est possible</translation>
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
    <name>AddComputerDialog</name>
    <message>
        <source>Add a computer</source>
        <translation>Ajouter un ordinateur</translation>
    </message>
    <message>
        <source>On the other computer, open My computers and choose “Let another computer control this one…”. It shows its address and a code.</source>
        <translation>Sur l’autre ordinateur, ouvrez «&#xa0;Mes ordinateurs&#xa0;» et choisissez «&#xa0;Laisser un autre ordinateur contrôler celui-ci…&#xa0;». Il affiche son adresse et un code.</translation>
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
        <translation>&amp;Annuler</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>A&amp;jouter</translation>
    </message>
    <message>
        <source>Pairing…</source>
        <translation>Appairage…</translation>
    </message>
</context>
<context>
    <name>AlbumCard</name>
    <message>
        <source>Use this prompt again</source>
        <translation>Réutiliser ce texte</translation>
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
        <source>All pictures were kept because they could not be ranked. {reason}</source>
        <extracomment>{reason} is a whole English sentence.</extracomment>
        <translation>Toutes les images ont été gardées, car elles n’ont pas pu être notées. {reason}</translation>
    </message>
    <message>
        <source>the model that comes with Idlebrush, epoch {epoch} of {run}</source>
        <translation>le modèle fourni avec Idlebrush, époque {epoch} de {run}</translation>
    </message>
    <message>
        <source>epoch {epoch} of {run}</source>
        <extracomment>{run} is the title of a run.</extracomment>
        <translation>époque {epoch} de {run}</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modèle</translation>
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
        <source>Most likely codes</source>
        <translation>Codes les plus probables</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>Guidage</translation>
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
        <source>Idlebrush notifies you when you are signed out, when something needs your attention, when you reach your best rank, and when a run is complete.</source>
        <translation>Idlebrush vous prévient quand vous avez été déconnecté, que votre attention est requise, que vous atteignez votre meilleur rang ou qu’un projet est terminé.</translation>
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
        <source>This applies if the desktop has a system tray.</source>
        <translation>S’applique si le bureau a une zone de notification.</translation>
    </message>
    <message>
        <source>When you close the window</source>
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
        <source>Training can continue in the background.</source>
        <translation>L’entraînement peut continuer en arrière-plan.</translation>
    </message>
    <message>
        <source>When you quit the app</source>
        <translation>À la fermeture de l’application</translation>
    </message>
</context>
<context>
    <name>BadgeWidget</name>
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
        <source>Contributed %Ln hour(s) of computing time</source>
        <translation>
            <numerusform>%Ln heure de temps de calcul donnée</numerusform>
            <numerusform>%Ln heures de temps de calcul données</numerusform>
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
        <source>Thirty nights</source>
        <translation>Trente nuits</translation>
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
        <source>%Ln value(s) from {start} to {end}. The highest is {high} at {best}. Use the arrow keys to read single values.</source>
        <translation>
            <numerusform>%Ln valeur de {start} à {end}. La plus haute est {high}, à {best}. Utilisez les flèches pour lire les valeurs une à une.</numerusform>
            <numerusform>%Ln valeurs de {start} à {end}. La plus haute est {high}, à {best}. Utilisez les flèches pour lire les valeurs une à une.</numerusform>
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
        <source>Computing time</source>
        <translation>Temps de calcul</translation>
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
    <name>CalendarCard</name>
    <message>
        <source>The last 12 months</source>
        <translation>Les 12 derniers mois</translation>
    </message>
    <message>
        <source>Measure of the days</source>
        <translation>Grandeur des jours</translation>
    </message>
</context>
<context>
    <name>CalendarGrid</name>
    <message>
        <source>The last 12 months</source>
        <translation>Les 12 derniers mois</translation>
    </message>
    <message>
        <source>Use the arrow keys to read single days.</source>
        <translation>Utilisez les flèches pour lire les jours un à un.</translation>
    </message>
</context>
<context>
    <name>CandidatePanel</name>
    <message>
        <source>Speed test</source>
        <translation>Test de vitesse</translation>
    </message>
    <message>
        <source>Measure the speed</source>
        <translation>Mesurer la vitesse</translation>
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
        <source>What is shown here comes from the run itself. If you do not expect that, ask the keeper of the list.</source>
        <translation>Ce qui s’affiche ici vient du projet lui-même. Si cela vous étonne, demandez au responsable de la liste.</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Mesurer à nouveau</translation>
    </message>
</context>
<context>
    <name>ChartCard</name>
    <message>
        <source>Over time</source>
        <translation>Au fil du temps</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Grandeur</translation>
    </message>
</context>
<context>
    <name>CodePanel</name>
    <message>
        <source>Enter this code on that page:</source>
        <translation>Saisissez ce code sur cette page&#xa0;:</translation>
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
        <source>Continue in your browser at {address}.</source>
        <translation>Continuez dans votre navigateur, à l’adresse {address}.</translation>
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
    <name>ComputerCard</name>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>Pause temporaire</translation>
    </message>
    <message>
        <source>Train always</source>
        <translation>Toujours entraîner</translation>
    </message>
    <message>
        <source>According to its preferences</source>
        <translation>Selon ses préférences</translation>
    </message>
    <message>
        <source>Never train</source>
        <translation>Ne jamais entraîner</translation>
    </message>
    <message>
        <source>Remove this computer…</source>
        <translation>Supprimer cet ordinateur…</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Reprendre</translation>
    </message>
    <message>
        <source>{action}: {name}</source>
        <extracomment>{action} is the text of a button, {name} the name of a computer.</extracomment>
        <translation>{action}&#xa0;: {name}</translation>
    </message>
    <message>
        <source>When to train</source>
        <translation>Quand l’entraînement a lieu</translation>
    </message>
</context>
<context>
    <name>Computers</name>
    <message>
        <source>This computer</source>
        <translation>Cet ordinateur</translation>
    </message>
    <message>
        <source>{name} (this computer)</source>
        <extracomment>{name} is the name of this computer.</extracomment>
        <translation>{name} (cet ordinateur)</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background</source>
        <translation>Idlebrush ne fonctionne pas en arrière-plan</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Connexion…</translation>
    </message>
    <message>
        <source>Not reached since {moment}</source>
        <translation>Injoignable depuis {moment}</translation>
    </message>
    <message>
        <source>Last seen {moment}: {state}</source>
        <extracomment>{state} is what the computer did then, such as &quot;Training&quot;.</extracomment>
        <translation>Dernier contact {moment}&#xa0;: {state}</translation>
    </message>
    <message>
        <source>Epoch {epoch}</source>
        <translation>Époque {epoch}</translation>
    </message>
    <message>
        <source>Trained for {percent} of today</source>
        <translation>Entraînement pendant {percent} de la journée</translation>
    </message>
    <message>
        <source>{name}, connected from {address}</source>
        <extracomment>{name} is a computer, {address} its address in the network.</extracomment>
        <translation>{name}, connecté depuis {address}</translation>
    </message>
    <message>
        <source>Off: no other computer can see or control this one. Turning it on opens a port for paired computers alone.</source>
        <translation>Désactivé&#xa0;: aucun autre ordinateur ne peut voir ni contrôler celui-ci. L’activer ouvre un port pour les seuls ordinateurs appairés.</translation>
    </message>
    <message>
        <source>On, but no other computer is paired yet.</source>
        <translation>Activé, mais aucun autre ordinateur n’est encore appairé.</translation>
    </message>
    <message>
        <source>These computers can see what this one does, pause and resume it, and change its preferences:</source>
        <translation>Ces ordinateurs peuvent voir ce que fait celui-ci, le mettre en pause et le faire reprendre, et modifier ses préférences&#xa0;:</translation>
    </message>
    <message>
        <source>Valid for {duration}</source>
        <translation>Valable {duration}</translation>
    </message>
    <message>
        <source>{name} can control this computer from now on.</source>
        <translation>{name} peut désormais contrôler cet ordinateur.</translation>
    </message>
    <message>
        <source>The code was wrong too often. No computer was paired.</source>
        <translation>Trop de codes erronés. Aucun ordinateur n’a été appairé.</translation>
    </message>
    <message>
        <source>The code has expired. No computer was paired.</source>
        <translation>Le code a expiré. Aucun ordinateur n’a été appairé.</translation>
    </message>
    <message>
        <source>The code was withdrawn.</source>
        <translation>Le code a été annulé.</translation>
    </message>
</context>
<context>
    <name>ComputersPage</name>
    <message>
        <source>Add a computer…</source>
        <translation>Ajouter un ordinateur…</translation>
    </message>
    <message>
        <source>{name} can be controlled from this computer.</source>
        <extracomment>{name} is the name of a computer.</extracomment>
        <translation>{name} peut être commandé depuis cet ordinateur.</translation>
    </message>
    <message>
        <source>Remove {name}?</source>
        <extracomment>{name} is the name of a computer.</extracomment>
        <translation>Supprimer {name}&#xa0;?</translation>
    </message>
    <message>
        <source>This computer can no longer control it. It goes on as it does now.</source>
        <translation>Cet ordinateur ne pourra plus le contrôler. L’autre continue comme maintenant.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Supprimer</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Conserver</translation>
    </message>
    <message>
        <source>It can no longer control this computer. If it is connected, that ends at once.</source>
        <translation>Il ne pourra plus contrôler cet ordinateur. S’il est connecté, la connexion prend fin aussitôt.</translation>
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
        <source>Next</source>
        <translation>Suivant</translation>
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
        <source>This is what Idlebrush does if you agree.</source>
        <translation>Voici ce que fera Idlebrush si vous acceptez.</translation>
    </message>
    <message>
        <source>I have compared the key {key} with the one that the organiser published.</source>
        <extracomment>{key} is a row of letters and digits.</extracomment>
        <translation>J’ai comparé la clé {key} avec celle que l’organisateur a publiée.</translation>
    </message>
    <message>
        <source>This computer trains when you are away</source>
        <translation>Cet ordinateur s’entraîne en votre absence</translation>
    </message>
    <message>
        <source>You have joined the run</source>
        <translation>Vous avez rejoint le projet</translation>
    </message>
    <message>
        <source>Before this computer can train, one more download is needed.</source>
        <translation>Avant que cet ordinateur puisse s’entraîner, un téléchargement est encore nécessaire.</translation>
    </message>
    <message>
        <source>Setup is complete. Idlebrush stays in the system tray. Open it to watch the pictures improve.</source>
        <translation>La configuration est terminée. Idlebrush reste dans la zone de notification. Ouvrez-le pour voir les images s’améliorer.</translation>
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
        <source>Period</source>
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
        <source>Runs shown</source>
        <translation>Projets affichés</translation>
    </message>
    <message>
        <source>Your contribution counts from the first epoch in which this computer takes part.</source>
        <translation>Votre contribution compte à partir de la première époque à laquelle cet ordinateur prend part.</translation>
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
    <message>
        <source>{samples}, {time}</source>
        <extracomment>Samples and computing time of one day, such as &quot;1,204 samples, 2 h 15 min&quot;.</extracomment>
        <translation>{samples}, {time}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s) with a contribution.</source>
        <translation>
            <numerusform>%Ln jour avec une contribution.</numerusform>
            <numerusform>%Ln jours avec une contribution.</numerusform>
        </translation>
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
        <source>Since you started</source>
        <translation>Depuis vos débuts</translation>
    </message>
    <message>
        <source>Computing time</source>
        <translation>Temps de calcul</translation>
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
        <source>Cost of the energy</source>
        <translation>Coût de l’énergie</translation>
    </message>
    <message>
        <source>CO2 of the energy</source>
        <translation>CO2 de l’énergie</translation>
    </message>
    <message>
        <source>Contribute on two consecutive days to start a streak.</source>
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
    <name>ControlCard</name>
    <message>
        <source>Control of this computer</source>
        <translation>Contrôle de cet ordinateur</translation>
    </message>
    <message>
        <source>Let paired computers control this one</source>
        <translation>Laisser les ordinateurs appairés contrôler celui-ci</translation>
    </message>
    <message>
        <source>Let another computer control this one…</source>
        <translation>Laisser un autre ordinateur contrôler celui-ci…</translation>
    </message>
    <message>
        <source>Key of this computer: {fingerprint}</source>
        <extracomment>{fingerprint} is such as &quot;ftze-jazc-ug7v-7g6c-4lbn-zhtv&quot;.</extracomment>
        <translation>Clé de cet ordinateur&#xa0;: {fingerprint}</translation>
    </message>
    <message>
        <source>Remove {name}…</source>
        <extracomment>{name} is the name of a computer.</extracomment>
        <translation>Supprimer {name}…</translation>
    </message>
</context>
<context>
    <name>EmbeddedPanel</name>
    <message>
        <source>Try it with a swarm</source>
        <translation>Essayer avec un essaim</translation>
    </message>
    <message>
        <source>This run learns in minutes rather than months. It learns things, colours, numbers and places, and to combine them in pictures that it never saw, such as a fox on a green square. No other computer takes part, and no data leaves this computer.</source>
        <translation>Ce projet apprend en quelques minutes plutôt qu’en plusieurs mois. Il apprend des choses, des couleurs, des nombres et des positions, et à les combiner en images qu’il n’a jamais vues, comme un renard sur un carré vert. Aucun autre ordinateur n’y prend part, et aucune donnée ne quitte cet ordinateur.</translation>
    </message>
    <message>
        <source>On Windows, a swarm on this computer is not possible yet.</source>
        <translation>Sous Windows, un essaim sur cet ordinateur n&apos;est pas encore possible.</translation>
    </message>
    <message>
        <source>A swarm on this computer is possible once the packages for training are installed.</source>
        <translation>Un essaim sur cet ordinateur est possible une fois installés les paquets pour l&apos;entraînement.</translation>
    </message>
    <message>
        <source>A swarm on this computer needs a second processor core.</source>
        <translation>Un essaim sur cet ordinateur nécessite un deuxième cœur de processeur.</translation>
    </message>
    <message>
        <source>A swarm on this computer needs more RAM than is free now.</source>
        <translation>Un essaim sur cet ordinateur nécessite plus de RAM qu&apos;il n&apos;y en a de libre.</translation>
    </message>
    <message>
        <source>This computer then runs what an organiser runs: a coordinator with a website and a leaderboard, and a second computer&apos;s trainer. All of it stays here, and you can remove it at any time.</source>
        <translation>Cet ordinateur fait alors tourner ce que fait tourner un organisateur : un coordinateur avec un site web et un classement, et l&apos;entraîneur d&apos;un deuxième ordinateur. Tout reste ici, et vous pouvez le supprimer à tout moment.</translation>
    </message>
</context>
<context>
    <name>EpochCard</name>
    <message>
        <source>Epoch</source>
        <translation>Époque</translation>
    </message>
    <message>
        <source>The swarm&apos;s progress appears here once training has started.</source>
        <translation>La progression de l’essaim s’affiche ici dès que l’entraînement a commencé.</translation>
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
    <name>ExtentControl</name>
    <message>
        <source>Simple</source>
        <translation>Simples</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Toutes</translation>
    </message>
    <message>
        <source>Which preferences to show</source>
        <translation>Préférences à afficher</translation>
    </message>
</context>
<context>
    <name>FilePanel</name>
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
        <source>Descriptions of runs (*.idlebrush *.toml)</source>
        <translation>Descriptions de projets (*.idlebrush *.toml)</translation>
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
        <source>This text is too long for a token. Copy only the token.</source>
        <translation>Ce texte est trop long pour un jeton. Copiez uniquement le jeton.</translation>
    </message>
    <message>
        <source>This text contains characters that a token cannot contain. Copy only the token.</source>
        <translation>Ce texte contient des caractères qu’aucun jeton ne contient. Copiez uniquement le jeton.</translation>
    </message>
    <message>
        <source>Your sign-in is stored in this computer&apos;s keyring.</source>
        <translation>Votre connexion est gardée dans le trousseau de cet ordinateur.</translation>
    </message>
    <message>
        <source>Your sign-in is stored until Idlebrush quits.</source>
        <translation>Votre connexion est gardée jusqu’à la fermeture d’Idlebrush.</translation>
    </message>
    <message>
        <source>Your sign-in is stored in a file that only you can read.</source>
        <translation>Votre connexion est gardée dans un fichier que vous seul pouvez lire.</translation>
    </message>
    <message>
        <source>This sign-in has expired.</source>
        <translation>Cette demande de connexion a expiré.</translation>
    </message>
    <message>
        <source>Valid for another {time}.</source>
        <extracomment>{time} is such as &quot;9 min 30 s&quot;.</extracomment>
        <translation>Valable encore {time}.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Projet</translation>
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
        <source>At most about {size} in each direction for the updates that the run has left ({updates}).</source>
        <translation>Au plus {size} environ dans chaque sens pour les mises à jour qui restent au projet ({updates}).</translation>
    </message>
    <message>
        <source>About {size} in each direction for the updates that the run has left ({updates}).</source>
        <translation>Environ {size} dans chaque sens pour les mises à jour qui restent au projet ({updates}).</translation>
    </message>
    <message>
        <source>At most about {size} in each direction per day of uninterrupted training.</source>
        <translation>Au plus {size} environ dans chaque sens par jour d’entraînement sans pause.</translation>
    </message>
    <message>
        <source>About {size} in each direction per day of uninterrupted training.</source>
        <translation>Environ {size} dans chaque sens par jour d’entraînement sans pause.</translation>
    </message>
    <message>
        <source>This is for {computers} computers and an update every {pace}: the newest pace of the run, as its website reports it, with this computer added.</source>
        <extracomment>{pace} is a duration such as &quot;15 s&quot;; there are two computers at least.</extracomment>
        <translation>Cela vaut pour {computers} ordinateurs et une mise à jour toutes les {pace} : le rythme le plus récent du projet d’après son site web, avec cet ordinateur en plus.</translation>
    </message>
    <message>
        <source>This is for {computers} computers and an update every {pace}. The run&apos;s rules allow no faster pace.</source>
        <translation>Cela vaut pour {computers} ordinateurs et une mise à jour toutes les {pace}. Les règles du projet ne permettent pas de rythme plus rapide.</translation>
    </message>
    <message>
        <source>This is for {computers} computers like this one, with an update every {pace}. The run&apos;s real pace is not known: it is more if the run is faster, and less if it is slower.</source>
        <translation>Cela vaut pour {computers} ordinateurs comme celui-ci, avec une mise à jour toutes les {pace}. Le rythme réel du projet n’est pas connu : s’il est plus rapide, ce sera plus ; s’il est plus lent, moins.</translation>
    </message>
    <message>
        <source>This is for {computers} computers and an update every {pace}. The run&apos;s real pace is not known: it is more if the run is faster, and less if it is slower.</source>
        <translation>Cela vaut pour {computers} ordinateurs et une mise à jour toutes les {pace}. Le rythme réel du projet n’est pas connu : s’il est plus rapide, ce sera plus ; s’il est plus lent, moins.</translation>
    </message>
    <message>
        <source>You join this run in addition to {titles}. The runs take turns.</source>
        <extracomment>{titles} are the names of runs, with commas between them.</extracomment>
        <translation>Vous rejoignez ce projet en plus de {titles}. Les projets s’entraînent à tour de rôle.</translation>
    </message>
    <message>
        <source>In addition</source>
        <translation>En plus</translation>
    </message>
    <message>
        <source>You can pause or stop training at any time from the tray icon.</source>
        <translation>Vous pouvez mettre en pause ou arrêter l’entraînement à tout moment avec l’icône de la zone de notification.</translation>
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
        <source>Downloading the run&apos;s files: {share}, {size} left.</source>
        <extracomment>{share} is such as &quot;42%&quot;, {size} such as &quot;1.2 GB&quot;.</extracomment>
        <translation>Téléchargement des fichiers du projet&#xa0;: {share}, encore {size}.</translation>
    </message>
    <message>
        <source>Leave the setup for now?</source>
        <translation>Quitter la configuration pour l’instant&#xa0;?</translation>
    </message>
    <message>
        <source>Training starts only after you join a run. You can join one later from the window.</source>
        <translation>L’entraînement ne commence qu’une fois que vous avez rejoint un projet. Vous pourrez le faire plus tard, depuis la fenêtre.</translation>
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
        <source>its organiser</source>
        <translation>son organisateur</translation>
    </message>
    <message>
        <source>its title</source>
        <translation>son titre</translation>
    </message>
    <message>
        <source>who may join</source>
        <translation>qui peut le rejoindre</translation>
    </message>
    <message>
        <source>the size of its model</source>
        <translation>la taille de son modèle</translation>
    </message>
    <message>
        <source>its traffic</source>
        <translation>son trafic</translation>
    </message>
    <message>
        <source>the memory that it needs</source>
        <translation>la mémoire qu’il lui faut</translation>
    </message>
    <message>
        <source>its download</source>
        <translation>son téléchargement</translation>
    </message>
    <message>
        <source>The run says otherwise than the list about {subjects}.</source>
        <extracomment>{subjects} is a list such as &quot;its title, who may join and its traffic&quot;.</extracomment>
        <translation>Le projet n’indique pas la même chose que la liste sur {subjects}.</translation>
    </message>
    <message>
        <source>This run comes with Idlebrush and trains on this computer only.</source>
        <translation>Ce projet est fourni avec Idlebrush et ne tourne que sur cet ordinateur.</translation>
    </message>
    <message>
        <source>This run has no website. Its key is {key}.</source>
        <translation>Ce projet n’a pas de site web. Sa clé est {key}.</translation>
    </message>
    <message>
        <source>{where}, with the key {key}</source>
        <extracomment>{where} is a website, {key} a row of letters and digits.</extracomment>
        <translation>{where}, avec la clé {key}</translation>
    </message>
    <message>
        <source>Nothing. All files of the run are already on this computer.</source>
        <translation>Rien. Tous les fichiers du projet sont déjà sur cet ordinateur.</translation>
    </message>
    <message>
        <source>{size}, once, before training starts.</source>
        <translation>{size}, une fois, avant le début de l’entraînement.</translation>
    </message>
    <message>
        <source>None. No other computer takes part.</source>
        <translation>Aucun. Aucun autre ordinateur n’y prend part.</translation>
    </message>
    <message>
        <source>None. The run has made all of its updates.</source>
        <translation>Aucun. Le projet a fait toutes ses mises à jour.</translation>
    </message>
    <message>
        <source>If other computers can connect to this one, it can be up to {size}, and the model&apos;s state for each new computer that fetches it from here.</source>
        <translation>Si d’autres ordinateurs peuvent se connecter à celui-ci, cela peut aller jusqu’à {size}, plus l’état du modèle pour chaque nouvel ordinateur qui le récupère ici.</translation>
    </message>
    <message>
        <source>You can set limits in the preferences.</source>
        <translation>Vous pouvez fixer des limites dans les préférences.</translation>
    </message>
    <message>
        <source>At first, this computer fetches the model&apos;s state from others: {size}.</source>
        <translation>Au début, cet ordinateur récupère l’état du modèle auprès d’autres : {size}.</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Connexion</translation>
    </message>
    <message>
        <source>No address of the run answers. You can join, but this computer trains only once one of them answers. Check the Internet connection. If it works, ask the organiser whether the run continues.</source>
        <translation>Aucune adresse du projet ne répond. Vous pouvez le rejoindre, mais cet ordinateur ne s’entraînera que lorsque l’une d’elles répondra. Vérifiez la connexion Internet. Si elle fonctionne, demandez à l’organisateur si le projet continue.</translation>
    </message>
    <message>
        <source>This computer reaches the run over {protocols}. Whether other computers can connect to this one is found out when training starts.</source>
        <extracomment>{protocols} is &quot;IPv4&quot;, &quot;IPv6&quot;, or both.</extracomment>
        <translation>Cet ordinateur atteint le projet en {protocols}. Le démarrage de l’entraînement montrera si d’autres ordinateurs peuvent se connecter à celui-ci.</translation>
    </message>
    <message>
        <source>IPv4 and IPv6</source>
        <translation>IPv4 et IPv6</translation>
    </message>
    <message>
        <source>Nothing. None of your files is read or sent.</source>
        <translation>Rien. Aucun de vos fichiers n’est lu ni envoyé.</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address, its training speed, and your user name, which you can hide on the run&apos;s pages. None of your files is read or sent.</source>
        <translation>L’adresse Internet de cet ordinateur, sa vitesse d’entraînement et votre nom d’utilisateur, que vous pouvez masquer sur les pages du projet. Aucun de vos fichiers n’est lu ni envoyé.</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address and its training speed, under a random name. None of your files is read or sent.</source>
        <translation>L’adresse Internet de cet ordinateur et sa vitesse d’entraînement, sous un nom aléatoire. Aucun de vos fichiers n’est lu ni envoyé.</translation>
    </message>
    <message>
        <source>Loading the run for the speed test. This can take a while on a busy computer…</source>
        <translation>Chargement du projet pour le test de vitesse. Sur un ordinateur occupé, cela peut prendre un moment…</translation>
    </message>
    <message>
        <source>Measuring the training speed of this computer…</source>
        <translation>Mesure de la vitesse d’entraînement de cet ordinateur…</translation>
    </message>
    <message>
        <source>Measure how fast this computer trains. The test takes a minute.</source>
        <translation>Mesurez la vitesse d’entraînement de cet ordinateur. Le test dure une minute.</translation>
    </message>
    <message>
        <source>About {rate} samples per hour. The model is updated every {duration} with the samples of all computers together.</source>
        <extracomment>{rate} is a number, {duration} is such as &quot;4 min&quot;; samples are pictures with their descriptions.</extracomment>
        <translation>Environ {rate} exemples par heure. Le modèle est mis à jour à intervalles de {duration}, avec les exemples de tous les ordinateurs réunis.</translation>
    </message>
    <message>
        <source>About {rate} samples per hour. Each update of the model needs {target} samples from all computers together.</source>
        <extracomment>{rate} is a number; the model learns from samples: pictures with their descriptions.</extracomment>
        <translation>Environ {rate} exemples par heure. Chaque mise à jour du modèle demande {target} exemples à tous les ordinateurs réunis.</translation>
    </message>
    <message>
        <source>This run admits members of {organisation} on the Hugging Face Hub.</source>
        <translation>Ce projet admet les membres de {organisation} sur le Hugging Face Hub.</translation>
    </message>
    <message>
        <source>This run admits people on the organiser&apos;s list.</source>
        <translation>Ce projet admet les personnes inscrites sur la liste de son organisateur.</translation>
    </message>
    <message>
        <source>This run admits people with an invitation from the organiser.</source>
        <translation>Ce projet admet les personnes qui ont une invitation de l’organisateur.</translation>
    </message>
    <message>
        <source>This run admits anyone who signs in with the Hugging Face Hub.</source>
        <translation>Ce projet admet quiconque se connecte avec le Hugging Face Hub.</translation>
    </message>
    <message>
        <source>You sign in at {hub}. The sign-in proves your identity to {coordinator} only. The organiser learns your user name and gets no access to your account.</source>
        <translation>Vous vous connectez sur {hub}. La connexion prouve votre identité à {coordinator} uniquement. L’organisateur apprend votre nom d’utilisateur et n’a aucun accès à votre compte.</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background.</source>
        <translation>Idlebrush ne fonctionne pas en arrière-plan.</translation>
    </message>
    <message>
        <source>The sign-in is still in progress.</source>
        <translation>La connexion est encore en cours.</translation>
    </message>
    <message>
        <source>Choose a run first.</source>
        <translation>Choisissez d’abord un projet.</translation>
    </message>
    <message>
        <source>Inspecting the run. One moment.</source>
        <translation>Examen du projet en cours. Un instant.</translation>
    </message>
    <message>
        <source>Choose a run that you can join.</source>
        <translation>Choisissez un projet que vous pouvez rejoindre.</translation>
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
        <source>Half of the time (cooler and quieter)</source>
        <translation>La moitié du temps (plus frais et plus silencieux)</translation>
    </message>
    <message>
        <source>A quarter of the time (hardly noticeable)</source>
        <translation>Un quart du temps (à peine perceptible)</translation>
    </message>
    <message>
        <source>Custom: {value}</source>
        <extracomment>{value} is what was set elsewhere, such as &quot;mon-fri 18:00-08:00&quot;.</extracomment>
        <translation>Personnalisé&#xa0;: {value}</translation>
    </message>
    <message>
        <source>This computer trains whenever your preferences allow it.</source>
        <translation>L’entraînement a lieu chaque fois que vos préférences le permettent.</translation>
    </message>
    <message>
        <source>This computer always trains, even while you use it.</source>
        <translation>L’entraînement a toujours lieu, même quand vous utilisez l’ordinateur.</translation>
    </message>
    <message>
        <source>This computer does not train until you allow it.</source>
        <translation>Pas d’entraînement avant que vous ne le permettiez.</translation>
    </message>
    <message>
        <source>This computer trains after {idle} without input. Hours: {hours}.</source>
        <extracomment>{idle} is such as &quot;3 min&quot;; {hours} is such as &quot;At any hour&quot;, &quot;At night&quot;.</extracomment>
        <translation>L’entraînement a lieu quand l’ordinateur n’a pas été utilisé depuis {idle}. Heures&#xa0;: {hours}.</translation>
    </message>
    <message>
        <source>Training pauses only when the computer is hot or low on battery or memory.</source>
        <translation>L’entraînement ne s’interrompt que si l’ordinateur chauffe ou manque de batterie ou de mémoire.</translation>
    </message>
    <message>
        <source>This computer also trains on battery.</source>
        <translation>L’entraînement a aussi lieu sur batterie.</translation>
    </message>
    <message>
        <source>Training pauses on battery, during games and videos, and when the computer is hot.</source>
        <translation>L’entraînement s’interrompt sur batterie, pendant les jeux et les vidéos, et quand l’ordinateur chauffe.</translation>
    </message>
    <message>
        <source>Training uses at most {share} of the time.</source>
        <extracomment>{share} is such as &quot;50%&quot;.</extracomment>
        <translation>L’entraînement prend au plus {share} du temps.</translation>
    </message>
    <message>
        <source>Idlebrush starts when you log in.</source>
        <translation>Idlebrush démarre à l’ouverture de votre session.</translation>
    </message>
    <message>
        <source>Idlebrush starts when you open it.</source>
        <translation>Idlebrush démarre quand vous l’ouvrez.</translation>
    </message>
    <message>
        <source>Welcome to Idlebrush</source>
        <translation>Bienvenue dans Idlebrush</translation>
    </message>
    <message>
        <source>Packages for training</source>
        <translation>Paquets pour l’entraînement</translation>
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
    <name>FoundRuns</name>
    <message>
        <source>This run is over.</source>
        <translation>Ce projet est terminé.</translation>
    </message>
    <message>
        <source>The graphics card of this computer can train it.</source>
        <translation>La carte graphique de cet ordinateur peut l&apos;entraîner.</translation>
    </message>
    <message>
        <source>The processor of this computer can train it.</source>
        <translation>Le processeur de cet ordinateur peut l&apos;entraîner.</translation>
    </message>
    <message>
        <source>It needs more memory than this computer has free.</source>
        <translation>Il lui faut plus de mémoire que cet ordinateur n&apos;en a de libre.</translation>
    </message>
    <message>
        <source>no sign-in needed</source>
        <translation>sans connexion</translation>
    </message>
    <message>
        <source>for anyone with a Hugging Face account</source>
        <translation>pour toute personne ayant un compte Hugging Face</translation>
    </message>
    <message>
        <source>for members of an organisation</source>
        <translation>pour les membres d&apos;une organisation</translation>
    </message>
    <message>
        <source>for users on the organiser&apos;s list</source>
        <translation>pour les utilisateurs de la liste de l&apos;organisateur</translation>
    </message>
    <message>
        <source>by invitation</source>
        <translation>sur invitation</translation>
    </message>
    <message>
        <source>{size} a day each way</source>
        <extracomment>{size} is an amount of data such as &quot;3 GB&quot;.</extracomment>
        <translation>{size} par jour dans chaque sens</translation>
    </message>
    <message>
        <source>volunteers: {count}</source>
        <extracomment>{count} is a number.</extracomment>
        <translation>bénévoles : {count}</translation>
    </message>
    <message>
        <source>Show the run</source>
        <translation>Examiner le projet</translation>
    </message>
    <message>
        <source>Show {run}</source>
        <extracomment>{run} is the title of a run.</extracomment>
        <translation>Voir {run}</translation>
    </message>
    <message>
        <source>Reading the lists…</source>
        <translation>Lecture des listes…</translation>
    </message>
    <message>
        <source>Lists of runs are kept by people whom you trust, such as a club or a website. Add one by its address and the key that its keeper publishes. You see each run before you join it.</source>
        <translation>Des listes de projets sont tenues par des personnes de confiance, comme un club ou un site web. Ajoutez-en une avec son adresse et la clé que son responsable publie. Vous voyez chaque projet avant d&apos;y participer.</translation>
    </message>
    <message>
        <source>There is no run on your lists.</source>
        <translation>Aucun projet ne figure sur vos listes.</translation>
    </message>
    <message>
        <source>This is what the lists say. The run&apos;s own facts follow before you join.</source>
        <translation>Voici ce que disent les listes. Les données du projet lui-même suivent avant toute participation.</translation>
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
        <source>Pictures shown</source>
        <translation>Images affichées</translation>
    </message>
</context>
<context>
    <name>GatePanel</name>
    <message>
        <source>Only members can train this run</source>
        <translation>Seuls les membres peuvent prendre part à ce projet</translation>
    </message>
    <message>
        <source>Invitation code</source>
        <translation>Code d’invitation</translation>
    </message>
    <message>
        <source>Sign in with the browser</source>
        <translation>Se connecter avec le navigateur</translation>
    </message>
    <message>
        <source>Use a code instead</source>
        <translation>Utiliser plutôt un code</translation>
    </message>
    <message>
        <source>You are admitted to this run.</source>
        <translation>Vous êtes admis à ce projet.</translation>
    </message>
    <message>
        <source>Only until Idlebrush quits</source>
        <translation>Seulement jusqu’à la fermeture d’Idlebrush</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot store your membership</source>
        <translation>Le trousseau de cet ordinateur ne peut pas garder votre adhésion</translation>
    </message>
    <message>
        <source>Unlock the keyring and try again, or sign in only until Idlebrush quits.</source>
        <translation>Déverrouillez le trousseau et réessayez, ou connectez-vous seulement jusqu’à la fermeture d’Idlebrush.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
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
    <name>HiddenChangesNote</name>
    <message numerus="yes">
        <source>%Ln more setting(s) differ from the default</source>
        <translation>
            <numerusform>%Ln autre réglage diffère de la valeur par défaut</numerusform>
            <numerusform>%Ln autres réglages diffèrent de la valeur par défaut</numerusform>
        </translation>
    </message>
    <message>
        <source>Show them</source>
        <translation>Les afficher</translation>
    </message>
</context>
<context>
    <name>HoursEditor</name>
    <message>
        <source>Drag to select hours, or move with the arrow keys and press Space. You can also type the hours into the field.</source>
        <translation>Glissez pour sélectionner des heures, ou déplacez-vous avec les flèches et appuyez sur Espace. Vous pouvez aussi saisir les heures dans le champ.</translation>
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
    <name>JoinedRunRow</name>
    <message>
        <source>Share: </source>
        <translation>Part&#xa0;: </translation>
    </message>
    <message>
        <source>Leave…</source>
        <translation>Quitter…</translation>
    </message>
    <message>
        <source>Share of {title}</source>
        <translation>Part de {title}</translation>
    </message>
    <message>
        <source>Its part of the time is its share divided by the sum of all shares.</source>
        <translation>Sa portion du temps est sa part divisée par la somme de toutes les parts.</translation>
    </message>
    <message>
        <source>Leave {title}</source>
        <translation>Quitter {title}</translation>
    </message>
</context>
<context>
    <name>JoinedRuns</name>
    <message>
        <source>It has its turn.</source>
        <translation>C’est son tour.</translation>
    </message>
    <message>
        <source>It waits for its turn.</source>
        <translation>Il attend son tour.</translation>
    </message>
    <message>
        <source>It trains only while no other run can.</source>
        <translation>Il ne s’entraîne que si aucun autre projet ne le peut.</translation>
    </message>
    <message>
        <source>It has done all of its epochs.</source>
        <translation>Il a terminé toutes ses époques.</translation>
    </message>
    <message>
        <source>It needs a newer version of Idlebrush.</source>
        <translation>Il lui faut une version plus récente d’Idlebrush.</translation>
    </message>
    <message>
        <source>It does not admit you, or asks you to sign in.</source>
        <translation>Il ne vous admet pas, ou vous demande de vous connecter.</translation>
    </message>
    <message>
        <source>It needs more memory than training may use.</source>
        <translation>Il lui faut plus de mémoire que l’entraînement ne peut en utiliser.</translation>
    </message>
    <message>
        <source>Its trainer fails again and again.</source>
        <translation>Son entraînement échoue à répétition.</translation>
    </message>
    <message>
        <source>Its other computers do not answer.</source>
        <translation>Ses autres ordinateurs ne répondent pas.</translation>
    </message>
    <message>
        <source>Its files are missing.</source>
        <translation>Ses fichiers sont absents.</translation>
    </message>
    <message>
        <source>Next attempt: {moment}.</source>
        <extracomment>{moment} is a time of the day, or a day and a time.</extracomment>
        <translation>Prochain essai : {moment}.</translation>
    </message>
    <message>
        <source>{part} of the time by its share · {week} of the last 7 days · {time} in all</source>
        <extracomment>{part} and {week} are such as &quot;25%&quot;, {time} is such as &quot;3 h 20 min&quot;.</extracomment>
        <translation>{part} du temps d’après sa part · {week} des 7 derniers jours · {time} en tout</translation>
    </message>
    <message>
        <source>Leave {title}?</source>
        <translation>Quitter {title}&#xa0;?</translation>
    </message>
    <message>
        <source>This computer no longer trains it. Its files and what you contributed are kept, and you can join again.</source>
        <translation>Cet ordinateur ne l’entraînera plus. Ses fichiers et votre contribution sont conservés, et vous pourrez le rejoindre à nouveau.</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Quitter</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Rester</translation>
    </message>
</context>
<context>
    <name>JoinedRunsCard</name>
    <message>
        <source>Your runs</source>
        <translation>Vos projets</translation>
    </message>
    <message>
        <source>This computer can train several runs in turns, each for its share of the time.</source>
        <translation>Cet ordinateur peut entraîner plusieurs projets à tour de rôle, chacun pour sa part du temps.</translation>
    </message>
    <message>
        <source>Join another run</source>
        <translation>Rejoindre un autre projet</translation>
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
        <source>Copy prompt and seed</source>
        <translation>Copier le texte et la graine</translation>
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
        <source>The picture is copied to the clipboard</source>
        <translation>L’image est copiée dans le presse-papiers</translation>
    </message>
    <message>
        <source>Prompt and seed are copied to the clipboard</source>
        <translation>Le texte et la graine sont copiés dans le presse-papiers</translation>
    </message>
</context>
<context>
    <name>LeaderboardPage</name>
    <message>
        <source>Volunteers</source>
        <translation>Bénévoles</translation>
    </message>
    <message>
        <source>Teams</source>
        <translation>Équipes</translation>
    </message>
    <message>
        <source>Ranks of</source>
        <translation>Classement des</translation>
    </message>
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
        <source>Period</source>
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
        <source>You are ranked {rank} of {total}.</source>
        <translation>Vous êtes au rang {rank} sur {total}.</translation>
    </message>
    <message>
        <source>Volunteers so far: {total}. This run has no sign-in, so your row is unknown.</source>
        <translation>Bénévoles à ce jour&#xa0;: {total}. Ce projet ne demande pas de connexion, votre ligne n’est donc pas connue.</translation>
    </message>
    <message>
        <source>Teams so far: {total}. Join one, and your samples count for it from then on; they stay with it.</source>
        <translation>Équipes à ce jour&#xa0;: {total}. Rejoignez-en une, et vos exemples comptent dès lors pour elle&#xa0;; ils lui restent acquis.</translation>
    </message>
    <message>
        <source>Your team {name} is ranked {rank} of {total}.</source>
        <translation>Votre équipe {name} est au rang {rank} sur {total}.</translation>
    </message>
    <message>
        <source>You lead it: your page on the website renames it or hands it over.</source>
        <translation>Vous la dirigez&#xa0;: votre page sur le site web permet de la renommer ou de la confier à quelqu’un d’autre.</translation>
    </message>
    <message>
        <source>Samples of yours that are not credited: {count}.</source>
        <translation>Vos exemples qui ne sont pas crédités : {count}.</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Non connecté</translation>
    </message>
    <message>
        <source>The leaderboard appears here once Idlebrush runs in the background.</source>
        <translation>Le classement s’affiche ici dès qu’Idlebrush fonctionne en arrière-plan.</translation>
    </message>
    <message>
        <source>You have not joined a run yet</source>
        <translation>Vous n’avez encore rejoint aucun projet</translation>
    </message>
    <message>
        <source>Join a run to compare your contribution with others.</source>
        <translation>Rejoignez un projet pour comparer votre contribution à celles des autres.</translation>
    </message>
    <message>
        <source>This run has no leaderboard</source>
        <translation>Ce projet n’a pas de classement</translation>
    </message>
    <message>
        <source>The organiser does not count contributions. This computer counts yours on the page My contribution.</source>
        <translation>L’organisateur ne compte pas les contributions. Cet ordinateur compte la vôtre sur la page «&#xa0;Ma contribution&#xa0;».</translation>
    </message>
    <message>
        <source>No volunteers yet</source>
        <translation>Aucun bénévole pour l’instant</translation>
    </message>
    <message>
        <source>The leaderboard starts with the first completed epoch.</source>
        <translation>Le classement commence avec la première époque terminée.</translation>
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
        <source>Licence</source>
        <translation>Licence</translation>
    </message>
    <message>
        <source>Licence text</source>
        <translation>Texte de la licence</translation>
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
        <source>The embedded run: sources</source>
        <translation>Le projet intégré&#xa0;: sources</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Bibliothèques</translation>
    </message>
    <message>
        <source>The app is built with Qt, by the Qt Company and contributors, and with Qt for Python (PySide6). Idlebrush uses both under the GNU Lesser General Public License, version 3. Both are installed as separate files. You may replace them with your own versions and reverse-engineer them to debug your changes.

Licence: https://www.gnu.org/licenses/lgpl-3.0.html
Source code: https://download.qt.io/official_releases/QtForPython/</source>
        <translation>L’application est faite avec Qt, par la Qt Company et ses contributeurs, et avec Qt for Python (PySide6). Idlebrush utilise les deux selon la licence publique générale limitée GNU, version 3. Les deux sont installés dans des fichiers séparés. Vous pouvez les remplacer par vos propres versions et en faire l’ingénierie inverse pour déboguer vos modifications.

Licence&#xa0;: https://www.gnu.org/licenses/lgpl-3.0.html
Code source&#xa0;: https://download.qt.io/official_releases/QtForPython/</translation>
    </message>
    <message>
        <source>see the package</source>
        <translation>voir le paquet</translation>
    </message>
</context>
<context>
    <name>LineChart</name>
    <message>
        <source>From {first} at {start} to {last} at {end}. The lowest is {low}, the highest {high}. Use the arrow keys to read single values.</source>
        <translation>De {first} à {start} jusqu’à {last} à {end}. La valeur la plus basse est {low}, la plus haute {high}. Utilisez les flèches pour lire les valeurs une à une.</translation>
    </message>
</context>
<context>
    <name>LinesCard</name>
    <message>
        <source>{button}: {what}</source>
        <extracomment>Of a button such as &quot;Change this&quot;: {what} is what it helps against.</extracomment>
        <translation>{button}&#xa0;: {what}</translation>
    </message>
</context>
<context>
    <name>LinkPanel</name>
    <message>
        <source>Link to the run</source>
        <translation>Lien du projet</translation>
    </message>
    <message>
        <source>Show the run</source>
        <translation>Examiner le projet</translation>
    </message>
    <message>
        <source>This is not a link to a run. Links to runs begin with idlebrush: or https://</source>
        <translation>Ce n’est pas le lien d’un projet. Les liens de projets commencent par idlebrush: ou https://</translation>
    </message>
</context>
<context>
    <name>ListPanel</name>
    <message>
        <source>Address of a list of runs</source>
        <translation>Adresse d&apos;une liste de projets</translation>
    </message>
    <message>
        <source>Its key</source>
        <translation>Sa clé</translation>
    </message>
    <message>
        <source>Key of the list&apos;s keeper</source>
        <translation>Clé du responsable de la liste</translation>
    </message>
    <message>
        <source>Add this list</source>
        <translation>Ajouter cette liste</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>Tous les projets</translation>
    </message>
    <message>
        <source>Enter the address of the list and the key that its keeper publishes.</source>
        <translation>Saisissez l&apos;adresse de la liste et la clé que son responsable publie.</translation>
    </message>
    <message>
        <source>Remove this list</source>
        <translation>Supprimer cette liste</translation>
    </message>
    <message>
        <source>Remove {list}</source>
        <extracomment>{list} is the title of a list of runs.</extracomment>
        <translation>Supprimer {list}</translation>
    </message>
</context>
<context>
    <name>LocalSwarm</name>
    <message>
        <source>It does not run now. Its model and its website are kept.</source>
        <translation>Il ne tourne pas en ce moment. Son modèle et son site web sont conservés.</translation>
    </message>
    <message>
        <source>Its coordinator is being started.</source>
        <translation>Son coordinateur démarre.</translation>
    </message>
    <message>
        <source>It is served by a terminal. This app goes on with it afterwards.</source>
        <translation>Un terminal le fait tourner. Cette application prendra ensuite le relais.</translation>
    </message>
    <message>
        <source>This computer runs a coordinator with a website and a leaderboard, and a second trainer beside your own. No other computer takes part.</source>
        <translation>Cet ordinateur fait tourner un coordinateur avec un site web et un classement, et un deuxième entraîneur à côté du vôtre. Aucun autre ordinateur ne participe.</translation>
    </message>
    <message>
        <source>Stop and remove the swarm on this computer?</source>
        <translation>Arrêter et supprimer l&apos;essaim de cet ordinateur ?</translation>
    </message>
    <message>
        <source>Its model, its website and its leaderboard are deleted. Your pictures are kept.</source>
        <translation>Son modèle, son site web et son classement sont effacés. Vos images sont conservées.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Supprimer</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Conserver</translation>
    </message>
</context>
<context>
    <name>LocalSwarmCard</name>
    <message>
        <source>The swarm on this computer</source>
        <translation>L&apos;essaim de cet ordinateur</translation>
    </message>
    <message>
        <source>Open its website</source>
        <translation>Ouvrir son site web</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Redémarrer</translation>
    </message>
    <message>
        <source>Stop and remove…</source>
        <translation>Arrêter et supprimer…</translation>
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
        <source>New lines appear here.</source>
        <translation>Les nouvelles lignes s’affichent ici.</translation>
    </message>
    <message>
        <source>Copies the selected lines, or all lines shown</source>
        <translation>Copie les lignes sélectionnées, ou toutes celles qui sont affichées</translation>
    </message>
    <message>
        <source>Full text of the selected lines</source>
        <translation>Les lignes sélectionnées en entier</translation>
    </message>
</context>
<context>
    <name>LogTools</name>
    <message>
        <source>Find in the log</source>
        <translation>Rechercher dans le journal</translation>
    </message>
    <message>
        <source>Follow new lines</source>
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
        <source>Log file</source>
        <translation>Fichier journal</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Niveau</translation>
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
    <name>LogView</name>
    <message>
        <source>Lines of the log</source>
        <translation>Lignes du journal</translation>
    </message>
</context>
<context>
    <name>LossCurve</name>
    <message>
        <source>Loss by epoch</source>
        <translation>Erreur (perte) par époque</translation>
    </message>
    <message>
        <source>The curve starts with the swarm&apos;s first epoch.</source>
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
        <source>Now {loss}, at the start {first}</source>
        <translation>Maintenant {loss}, au début {first}</translation>
    </message>
</context>
<context>
    <name>Mosaic</name>
    <message>
        <source>A sunset over the sea in small brush strokes, which emerges from noise</source>
        <translation>Un coucher de soleil sur la mer à petites touches, qui émerge du bruit</translation>
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
    <name>NewsCard</name>
    <message>
        <source>News from the organiser</source>
        <translation>Nouvelles de l&apos;organisateur</translation>
    </message>
</context>
<context>
    <name>NewsDialog</name>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Fermer</translation>
    </message>
    <message>
        <source>What&apos;s new in Idlebrush {version}</source>
        <translation>Nouveautés d’Idlebrush {version}</translation>
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
        <source>The packages for training are not installed.</source>
        <translation>Les paquets pour l’entraînement ne sont pas installés.</translation>
    </message>
    <message>
        <source>You are ranked {rank} of {of} in “{run}”.</source>
        <translation>Vous êtes au rang {rank} sur {of} dans «&#xa0;{run}&#xa0;».</translation>
    </message>
    <message>
        <source>Your best rank so far</source>
        <translation>Votre meilleur rang à ce jour</translation>
    </message>
    <message>
        <source>“{run}” has completed all of its epochs. Open the gallery to see its pictures.</source>
        <translation>«&#xa0;{run}&#xa0;» a terminé toutes ses époques. Ouvrez la galerie pour voir ses images.</translation>
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
        <source>Join a run. This computer then helps to train a model whenever you do not need it.</source>
        <translation>Rejoignez un projet. Cet ordinateur aidera alors à entraîner un modèle quand vous n’en avez pas besoin.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Choisir un projet</translation>
    </message>
    <message>
        <source>This page shows what Idlebrush does once it runs in the background.</source>
        <translation>Cette page montre ce que fait Idlebrush dès qu’il fonctionne en arrière-plan.</translation>
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
    <message>
        <source>Show updates</source>
        <translation>Voir les mises à jour</translation>
    </message>
</context>
<context>
    <name>NowView</name>
    <message>
        <source>Training waits for data {percent} of the time</source>
        <translation>L’entraînement attend des données pendant {percent} du temps</translation>
    </message>
    <message>
        <source>The connection or its speed limit is too slow for this computer.</source>
        <translation>La connexion ou sa limite de vitesse est trop lente pour cet ordinateur.</translation>
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
        <source>Samples so far: {gathered}</source>
        <extracomment>{gathered} is a number. The clock ends this epoch, whatever was gathered.</extracomment>
        <translation>Exemples jusqu’ici&#xa0;: {gathered}</translation>
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
        <source>About {duration} left</source>
        <translation>Encore environ {duration}</translation>
    </message>
    <message>
        <source>Swarm speed</source>
        <translation>Vitesse de l’essaim</translation>
    </message>
    <message>
        <source>Your speed</source>
        <translation>Votre vitesse</translation>
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
        <source>%Ln request(s) for pictures in the queue</source>
        <translation>
            <numerusform>%Ln demande d’images dans la file d’attente</numerusform>
            <numerusform>%Ln demandes d’images dans la file d’attente</numerusform>
        </translation>
    </message>
    <message>
        <source>How this computer trains</source>
        <translation>L’entraînement sur cet ordinateur</translation>
    </message>
    <message>
        <source>This computer trains on its processor, not on its GPU</source>
        <translation>Cet ordinateur s’entraîne sur son processeur, pas sur son GPU</translation>
    </message>
    <message>
        <source>Its driver keeps it.</source>
        <translation>Son pilote fait respecter cette limite.</translation>
    </message>
    <message>
        <source>Lower clocks and short breaks between steps keep it on average, because its driver does not let Idlebrush set the limit.</source>
        <translation>Des fréquences réduites et de courtes pauses entre les étapes la font respecter en moyenne, car son pilote ne laisse pas Idlebrush fixer la limite.</translation>
    </message>
    <message>
        <source>Short breaks between steps keep it on average, because its driver does not let Idlebrush set the limit.</source>
        <translation>De courtes pauses entre les étapes la font respecter en moyenne, car son pilote ne laisse pas Idlebrush fixer la limite.</translation>
    </message>
    <message>
        <source>This GPU reports no limit of which a percentage could be taken. Set the limit in watts.</source>
        <translation>Ce GPU n’indique aucune limite dont on puisse prendre un pourcentage. Fixez la limite en watts.</translation>
    </message>
    <message>
        <source>The power of the GPU is not limited</source>
        <translation>La puissance du GPU n’est pas limitée</translation>
    </message>
    <message>
        <source>The power of the GPU is limited to {watts} W</source>
        <translation>La puissance du GPU est limitée à {watts}&#xa0;W</translation>
    </message>
    <message numerus="yes">
        <source>On the GPU with %Ln sample(s) at a time, {gpu_memory} of GPU memory and {memory} of RAM.</source>
        <translation>
            <numerusform>Sur le GPU, avec %Ln exemple à la fois, {gpu_memory} de mémoire GPU et {memory} de mémoire vive.</numerusform>
            <numerusform>Sur le GPU, avec %Ln exemples à la fois, {gpu_memory} de mémoire GPU et {memory} de mémoire vive.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>On the processor with %Ln sample(s) at a time and {memory} of RAM.</source>
        <translation>
            <numerusform>Sur le processeur, avec %Ln exemple à la fois et {memory} de mémoire vive.</numerusform>
            <numerusform>Sur le processeur, avec %Ln exemples à la fois et {memory} de mémoire vive.</numerusform>
        </translation>
    </message>
    <message>
        <source>GPU {index} ({name}) trains</source>
        <translation>Le GPU {index} ({name}) s’entraîne</translation>
    </message>
    <message>
        <source>GPU {index} ({name}) is not used: {why}.</source>
        <translation>Le GPU {index} ({name}) n’est pas utilisé&#xa0;: {why}.</translation>
    </message>
    <message>
        <source>your preferences leave it out</source>
        <translation>vos préférences l’excluent</translation>
    </message>
    <message>
        <source>other programs use it</source>
        <translation>d’autres programmes l’utilisent</translation>
    </message>
    <message>
        <source>it has less free memory</source>
        <translation>il a moins de mémoire libre</translation>
    </message>
    <message>
        <source>it is slower</source>
        <translation>il est plus lent</translation>
    </message>
    <message>
        <source>it draws the screen</source>
        <translation>il gère l’affichage</translation>
    </message>
    <message>
        <source>one GPU trains at a time</source>
        <translation>un seul GPU s’entraîne à la fois</translation>
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
</context>
<context>
    <name>OfferDialog</name>
    <message>
        <source>&amp;Look at the other run</source>
        <translation>E&amp;xaminer l’autre projet</translation>
    </message>
    <message>
        <source>&amp;Stay</source>
        <translation>&amp;Rester</translation>
    </message>
    <message>
        <source>No run</source>
        <translation>Aucun projet</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Fermer</translation>
    </message>
    <message>
        <source>The files of {title} are being downloaded, and the link or file leads to another run. Looking at it stops the download. What has arrived is kept.</source>
        <translation>Les fichiers de {title} sont en cours de téléchargement, et le lien ou le fichier mène à un autre projet. L’examiner arrête le téléchargement. Ce qui est déjà arrivé est conservé.</translation>
    </message>
    <message>
        <source>Stop the download?</source>
        <translation>Arrêter le téléchargement&#xa0;?</translation>
    </message>
    <message>
        <source>This computer trains {title}, and the link or file leads to another run. Looking at it changes nothing: you decide afterwards. If you join it, this computer trains both in turns.</source>
        <translation>Cet ordinateur entraîne {title}, et le lien ou le fichier mène à un autre projet. L’examiner ne change rien&#xa0;: vous décidez ensuite. Si vous le rejoignez, cet ordinateur entraîne les deux à tour de rôle.</translation>
    </message>
    <message>
        <source>Look at another run?</source>
        <translation>Examiner un autre projet&#xa0;?</translation>
    </message>
    <message>
        <source>Another run</source>
        <translation>Un autre projet</translation>
    </message>
</context>
<context>
    <name>Offers</name>
    <message>
        <source>This computer already trains {title}.</source>
        <translation>Cet ordinateur participe déjà à {title}.</translation>
    </message>
</context>
<context>
    <name>Order</name>
    <message>
        <source>The prompt contains characters that cannot be used.</source>
        <translation>Le texte contient des caractères inutilisables.</translation>
    </message>
    <message>
        <source>Describe in plain words what the picture should show.</source>
        <translation>Décrivez en mots simples ce que l’image doit montrer.</translation>
    </message>
    <message>
        <source>Describe what the pictures should show.</source>
        <translation>Décrivez ce que les images doivent montrer.</translation>
    </message>
    <message>
        <source>The prompt is too long. A few words work best.</source>
        <translation>Le texte est trop long. Quelques mots suffisent.</translation>
    </message>
</context>
<context>
    <name>OutcomeCard</name>
    <message>
        <source>What the model writes</source>
        <translation>Ce que le modèle écrit</translation>
    </message>
    <message>
        <source>See how the model improved</source>
        <translation>Voir comment le modèle a progressé</translation>
    </message>
    <message>
        <source>All {epochs} epochs are complete</source>
        <translation>Les {epochs} époques sont terminées</translation>
    </message>
    <message>
        <source>Thank you for helping to train “{run}”.</source>
        <translation>Merci d’avoir aidé à entraîner «&#xa0;{run}&#xa0;».</translation>
    </message>
</context>
<context>
    <name>OwnPictures</name>
    <message>
        <source>Show older pictures</source>
        <translation>Afficher des images plus anciennes</translation>
    </message>
    <message>
        <source>The pictures for “{prompt}” are ready</source>
        <translation>Les images pour «&#xa0;{prompt}&#xa0;» sont prêtes</translation>
    </message>
    <message>
        <source>No pictures yet</source>
        <translation>Pas encore d’images</translation>
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
        <source>Choose a run. Its model then draws pictures for your prompts.</source>
        <translation>Choisissez un projet. Son modèle dessinera alors des images d’après vos textes.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Choisir un projet</translation>
    </message>
    <message>
        <source>The pictures for “{prompt}” could not be drawn</source>
        <translation>Les images pour «&#xa0;{prompt}&#xa0;» n’ont pas pu être dessinées</translation>
    </message>
    <message>
        <source>Your pictures cannot be read</source>
        <translation>Vos images ne peuvent pas être lues</translation>
    </message>
</context>
<context>
    <name>PairingDialog</name>
    <message>
        <source>Let another computer control this one</source>
        <translation>Laisser un autre ordinateur contrôler celui-ci</translation>
    </message>
    <message>
        <source>On your other computer, open My computers, choose “Add a computer…”, and enter:</source>
        <translation>Sur votre autre ordinateur, ouvrez «&#xa0;Mes ordinateurs&#xa0;», choisissez «&#xa0;Ajouter un ordinateur…&#xa0;» et saisissez&#xa0;:</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
    <message>
        <source>Code: {code}</source>
        <extracomment>{code} is spelt out by screen readers.</extracomment>
        <translation>Code&#xa0;: {code}</translation>
    </message>
    <message>
        <source>Address of this computer:
{addresses}</source>
        <extracomment>{addresses} are addresses of this computer, one below the other.</extracomment>
        <translation>Adresse de cet ordinateur&#xa0;:
{addresses}</translation>
    </message>
</context>
<context>
    <name>PictureViewer</name>
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
    <name>Plan</name>
    <message>
        <source>This run needs more memory than this computer can provide.</source>
        <translation>Ce projet demande plus de mémoire que cet ordinateur ne peut en fournir.</translation>
    </message>
    <message>
        <source>Trains on {device} with {gpu_memory} of GPU memory and {memory} of RAM.</source>
        <extracomment>{gpu_memory} and {memory} are such as &quot;5.2 GB&quot;.</extracomment>
        <translation>Entraînement sur {device} avec {gpu_memory} de mémoire GPU et {memory} de mémoire vive.</translation>
    </message>
    <message>
        <source>Trains on the processor with {memory} of RAM.</source>
        <translation>Entraînement sur le processeur avec {memory} de mémoire vive.</translation>
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
        <source>Train</source>
        <translation>Entraînement</translation>
    </message>
    <message>
        <source>“Always” ignores the settings for your convenience. It still respects the limits that protect the computer and your bill: heat, memory, disk, battery charge, price of electricity, metered connections and the monthly quota.</source>
        <translation>«&#xa0;Toujours&#xa0;» ignore les réglages pour votre confort. Les limites qui protègent l’ordinateur et votre facture restent respectées&#xa0;: chaleur, mémoire, disque, charge de la batterie, prix de l’électricité, connexions limitées et quota mensuel.</translation>
    </message>
    <message>
        <source>Hours of the week</source>
        <translation>Heures d’entraînement</translation>
    </message>
    <message>
        <source>Idle after</source>
        <translation>Inactif après</translation>
    </message>
    <message>
        <source>Processor share while in use</source>
        <translation>Part du processeur pendant l’utilisation</translation>
    </message>
    <message>
        <source>GPU share while in use</source>
        <translation>Part du GPU pendant l’utilisation</translation>
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
        <source>Lowest battery charge</source>
        <translation>Charge minimale de la batterie</translation>
    </message>
    <message>
        <source>Highest processor temperature</source>
        <translation>Température maximale du processeur</translation>
    </message>
    <message>
        <source>Highest GPU temperature</source>
        <translation>Température maximale du GPU</translation>
    </message>
    <message>
        <source>Processor load of other programs</source>
        <translation>Processeur utilisé par d’autres programmes</translation>
    </message>
    <message>
        <source>GPU load of other programs</source>
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
        <source>Disk space for runs</source>
        <translation>Espace disque pour les projets</translation>
    </message>
    <message>
        <source>Disk space to keep free</source>
        <translation>Espace disque à laisser libre</translation>
    </message>
    <message>
        <source>Memory for training</source>
        <translation>Mémoire pour l’entraînement</translation>
    </message>
    <message>
        <source>Memory to keep free</source>
        <translation>Mémoire à laisser libre</translation>
    </message>
    <message>
        <source>GPU memory for training</source>
        <translation>Mémoire GPU pour l’entraînement</translation>
    </message>
    <message>
        <source>GPU memory for other programs</source>
        <translation>Mémoire GPU pour les autres programmes</translation>
    </message>
    <message>
        <source>Keep memory during pauses for</source>
        <translation>Garder la mémoire en pause pendant</translation>
    </message>
    <message>
        <source>Free GPU memory at every pause</source>
        <translation>Libérer la mémoire GPU à chaque pause</translation>
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
        <source>Monthly traffic quota</source>
        <translation>Quota mensuel de trafic</translation>
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
        <source>Training is allowed during these hours of the week, in local time.</source>
        <translation>L’entraînement est permis à ces heures de la semaine, en heure locale.</translation>
    </message>
    <message>
        <source>Change runs after</source>
        <translation>Changer de projet après</translation>
    </message>
    <message>
        <source>If several runs are joined, another one may take over after this time of training, at the end of an epoch.</source>
        <translation>Si vous avez rejoint plusieurs projets, un autre peut prendre le relais après cette durée d’entraînement, à la fin d’une époque.</translation>
    </message>
    <message>
        <source>The computer counts as idle after this time without keyboard or mouse input.</source>
        <translation>L’ordinateur est considéré comme inactif après ce temps sans saisie au clavier ni à la souris.</translation>
    </message>
    <message>
        <source>While you use the computer, training on the processor pauses or continues for this share of the time.</source>
        <translation>Quand vous utilisez l’ordinateur, l’entraînement sur le processeur fait une pause ou continue pendant cette part du temps.</translation>
    </message>
    <message>
        <source>While you use the computer, training on a GPU pauses or continues for this share of the time.</source>
        <translation>Quand vous utilisez l’ordinateur, l’entraînement sur un GPU fait une pause ou continue pendant cette part du temps.</translation>
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
        <source>Pause or continue training while the computer runs on battery.</source>
        <translation>Suspendre ou continuer l’entraînement quand l’ordinateur est sur batterie.</translation>
    </message>
    <message>
        <source>If training is allowed on battery, it pauses below this charge.</source>
        <translation>Si l’entraînement est permis sur batterie, il fait une pause sous cette charge.</translation>
    </message>
    <message>
        <source>Pause above this temperature until the processor has cooled by 5 °C.</source>
        <translation>Pause au-dessus de cette température, jusqu’à ce que le processeur ait refroidi de 5&#xa0;°C.</translation>
    </message>
    <message>
        <source>Pause above this temperature until the GPU has cooled by 5 °C.</source>
        <translation>Pause au-dessus de cette température, jusqu’à ce que le GPU ait refroidi de 5&#xa0;°C.</translation>
    </message>
    <message>
        <source>Target temperature of the processor</source>
        <translation>Température cible du processeur</translation>
    </message>
    <message>
        <source>Hold the processor at this temperature by short breaks between steps. Set it below the limit for pausing.</source>
        <translation>Maintenir le processeur à cette température par de courtes pauses entre les étapes. Choisissez une valeur inférieure à la limite de mise en pause.</translation>
    </message>
    <message>
        <source>Target temperature of the GPU</source>
        <translation>Température cible du GPU</translation>
    </message>
    <message>
        <source>Hold the GPU at this temperature by short breaks between steps. Set it below the limit for pausing.</source>
        <translation>Maintenir le GPU à cette température par de courtes pauses entre les étapes. Choisissez une valeur inférieure à la limite de mise en pause.</translation>
    </message>
    <message>
        <source>Power of the GPU</source>
        <translation>Puissance du GPU</translation>
    </message>
    <message>
        <source>Limit the power of the GPU while it trains, by its driver where that is allowed, otherwise by short breaks between steps. Your own setting of the driver is restored afterwards.</source>
        <translation>Limiter la puissance du GPU pendant l’entraînement, par son pilote si c’est autorisé, sinon par de courtes pauses entre les étapes. Votre propre réglage du pilote est rétabli ensuite.</translation>
    </message>
    <message>
        <source>Stay awake while training</source>
        <translation>Rester éveillé pendant l’entraînement</translation>
    </message>
    <message>
        <source>Keep the computer from going to sleep by itself while it trains, but never on battery. The screen may turn off.</source>
        <translation>Empêcher l’ordinateur de se mettre en veille de lui-même pendant l’entraînement, mais jamais sur batterie. L’écran peut s’éteindre.</translation>
    </message>
    <message>
        <source>Price of electricity</source>
        <translation>Prix de l’électricité</translation>
    </message>
    <message>
        <source>The price of a kilowatt-hour, by the hours of the week if it changes. Idlebrush shows what the measured energy of training costs.</source>
        <translation>Le prix d’un kilowattheure, selon les heures de la semaine s’il varie. Idlebrush montre ce que coûte l’énergie mesurée de l’entraînement.</translation>
    </message>
    <message>
        <source>Highest price</source>
        <translation>Prix maximal</translation>
    </message>
    <message>
        <source>Pause while a kilowatt-hour costs more than this.</source>
        <translation>Pause quand un kilowattheure coûte plus que cela.</translation>
    </message>
    <message>
        <source>Carbon intensity of electricity</source>
        <translation>Intensité carbone de l’électricité</translation>
    </message>
    <message>
        <source>The grams of CO2 that a kilowatt-hour causes where you live, by the hours of the week if they change. Idlebrush shows what the measured energy of training causes.</source>
        <translation>Les grammes de CO2 que cause un kilowattheure là où vous habitez, selon les heures de la semaine s’ils varient. Idlebrush montre ce que cause l’énergie mesurée de l’entraînement.</translation>
    </message>
    <message>
        <source>Highest carbon intensity</source>
        <translation>Intensité carbone maximale</translation>
    </message>
    <message>
        <source>Pause while a kilowatt-hour causes more CO2 than this.</source>
        <translation>Pause quand un kilowattheure cause plus de CO2 que cela.</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this share of all processor cores.</source>
        <translation>Pause quand d’autres programmes utilisent plus que cette part de tous les cœurs du processeur.</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this share of the training GPU.</source>
        <translation>Pause quand d’autres programmes utilisent plus que cette part du GPU d’entraînement.</translation>
    </message>
    <message>
        <source>Training pauses while one of these applications runs. Enter the names of their programs.</source>
        <translation>L’entraînement fait une pause tant qu’une de ces applications est ouverte. Saisissez les noms de leurs programmes.</translation>
    </message>
    <message>
        <source>Train for at most this share of the time. Short breaks between steps reduce heat and noise.</source>
        <translation>Entraîner au plus pendant cette part du temps. De courtes pauses entre les étapes réduisent la chaleur et le bruit.</translation>
    </message>
    <message>
        <source>The number of processor threads for training. Automatic: all cores but one, or four if a GPU trains.</source>
        <translation>Nombre de fils d’exécution du processeur à utiliser. Automatique&#xa0;: tous les cœurs sauf un, ou quatre si un GPU est utilisé.</translation>
    </message>
    <message>
        <source>The numbers of the GPUs that may train, counted from 0 and separated by commas.</source>
        <translation>Les numéros des GPU à utiliser, comptés à partir de 0 et séparés par des virgules.</translation>
    </message>
    <message>
        <source>The most disk space that runs may use.</source>
        <translation>Espace disque maximal pour les projets.</translation>
    </message>
    <message>
        <source>Pause while less than this space is free on the disk.</source>
        <translation>Pause quand il reste moins d’espace libre sur le disque.</translation>
    </message>
    <message>
        <source>The most memory (RAM) that training may use.</source>
        <translation>Mémoire vive (RAM) maximale pour l’entraînement.</translation>
    </message>
    <message>
        <source>Release all memory when less than this is left for other programs.</source>
        <translation>Libérer toute la mémoire quand il en reste moins pour les autres programmes.</translation>
    </message>
    <message>
        <source>The most GPU memory that training may use.</source>
        <translation>Mémoire GPU maximale pour l’entraînement.</translation>
    </message>
    <message>
        <source>GPU memory kept free for other programs. If they need more, training stops at once and releases all of its GPU memory.</source>
        <translation>Mémoire GPU laissée libre pour les autres programmes. S’il leur en faut plus, l’entraînement s’arrête aussitôt et libère toute sa mémoire GPU.</translation>
    </message>
    <message>
        <source>Training releases its memory after a pause of this length.</source>
        <translation>L’entraînement libère sa mémoire après une pause de cette durée.</translation>
    </message>
    <message>
        <source>Release GPU memory at every pause. Resuming then takes longer.</source>
        <translation>Libérer la mémoire GPU à chaque pause. Reprendre est alors plus long.</translation>
    </message>
    <message>
        <source>The highest speed at which training may send data.</source>
        <translation>Vitesse d’envoi maximale pour l’entraînement.</translation>
    </message>
    <message>
        <source>The highest speed at which training may receive data.</source>
        <translation>Vitesse de réception maximale pour l’entraînement.</translation>
    </message>
    <message>
        <source>The most data that training may send and receive in total in a calendar month.</source>
        <translation>Total maximal envoyé et reçu par l’entraînement en un mois civil.</translation>
    </message>
    <message>
        <source>Pause while the connection is metered, such as a phone&apos;s.</source>
        <translation>Pause quand la connexion est limitée, comme celle d’un téléphone.</translation>
    </message>
    <message>
        <source>The port on which other peers reach this computer. Automatic: any free port.</source>
        <translation>Le port par lequel les autres participants joignent cet ordinateur. Automatique&#xa0;: n’importe quel port libre.</translation>
    </message>
    <message>
        <source>Control by other computers</source>
        <translation>Contrôle par d’autres ordinateurs</translation>
    </message>
    <message>
        <source>Let your other computers control this one, once they are paired by a code on the page My computers.</source>
        <translation>Laisser vos autres ordinateurs contrôler celui-ci, une fois appairés par un code sur la page «&#xa0;Mes ordinateurs&#xa0;».</translation>
    </message>
    <message>
        <source>Port for other computers</source>
        <translation>Port pour les autres ordinateurs</translation>
    </message>
    <message>
        <source>The port on which your other computers reach this one.</source>
        <translation>Le port par lequel vos autres ordinateurs joignent celui-ci.</translation>
    </message>
    <message>
        <source>Let the router forward the port (UPnP or NAT-PMP)</source>
        <translation>Laisser le routeur rediriger le port (UPnP ou NAT-PMP)</translation>
    </message>
    <message>
        <source>Ask the router to forward that port to this computer, so that other peers can connect to it.</source>
        <translation>Demander au routeur de rediriger ce port vers cet ordinateur, pour que d’autres participants puissent s’y connecter.</translation>
    </message>
    <message>
        <source>Start Idlebrush in the background when you log in.</source>
        <translation>Démarrer Idlebrush, en arrière-plan, à l’ouverture de votre session.</translation>
    </message>
    <message>
        <source>Update by itself</source>
        <translation>Se mettre à jour tout seul</translation>
    </message>
    <message>
        <source>Look for a newer version once a day, and install it while training is paused. It is never fetched on a metered connection.</source>
        <translation>Chercher une version plus récente une fois par jour et l’installer pendant que l’entraînement est en pause. Elle n’est jamais téléchargée par une connexion limitée.</translation>
    </message>
    <message>
        <source>Electricity</source>
        <translation>Électricité</translation>
    </message>
    <message>
        <source>Start and updates</source>
        <translation>Démarrage et mises à jour</translation>
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
        <source>No matching preference</source>
        <translation>Aucune préférence correspondante</translation>
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
        <source>No one</source>
        <translation>Personne</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU and its memory size), your training speed, the gradients you send, and the user name under which you were admitted.</source>
        <translation>Votre adresse IP, un identifiant de pair aléatoire, votre type de matériel (un processeur, ou un GPU et la taille de sa mémoire), votre vitesse d’entraînement, les gradients que vous envoyez, et le nom d’utilisateur sous lequel vous avez été admis.</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU and its memory size), your training speed, and the gradients you send. They do not see your name.</source>
        <translation>Votre adresse IP, un identifiant de pair aléatoire, votre type de matériel (un processeur, ou un GPU et la taille de sa mémoire), votre vitesse d’entraînement, et les gradients que vous envoyez. Ils ne voient pas votre nom.</translation>
    </message>
    <message>
        <source>Your user name, the contribution of your computers, and the team you join. The leaderboard, your public page with its picture, and your team&apos;s page show your name unless you hide it. The coordinator receives a proof of identity made for it alone, never your token.</source>
        <translation>Votre nom d’utilisateur, la contribution de vos ordinateurs et l’équipe que vous rejoignez. Le classement, votre page publique avec son image et la page de votre équipe affichent votre nom, sauf si vous le masquez. Le coordinateur reçoit une preuve d’identité faite pour lui seul, jamais votre jeton.</translation>
    </message>
    <message>
        <source>The IP address of this computer and its contribution.</source>
        <translation>L’adresse IP de cet ordinateur et sa contribution.</translation>
    </message>
    <message>
        <source>Your sign-in, if you sign in. Your token is stored on this computer and sent only to the Hub. Idlebrush also downloads data and files of a run from the Hub if they are stored there.</source>
        <translation>Votre connexion, si vous vous connectez. Votre jeton reste sur cet ordinateur et n’est transmis qu’au Hub. Idlebrush télécharge aussi depuis le Hub les données et fichiers d’un projet qui s’y trouvent.</translation>
    </message>
    <message>
        <source>Your files, your input and the programs you use. To pause while you use the computer, Idlebrush asks the system for the time of the last input, but not for the input itself. This time and the prompts and pictures in your gallery never leave this computer.</source>
        <translation>Vos fichiers, vos saisies et les programmes que vous utilisez. Pour se mettre en pause quand vous utilisez l’ordinateur, Idlebrush demande au système l’heure de la dernière saisie, mais pas la saisie elle-même. Cette heure, ainsi que les textes et images de votre galerie, ne quittent jamais cet ordinateur.</translation>
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
        <source>Start it to train and to see the current state.</source>
        <translation>Démarrez-le pour lancer l’entraînement et voir l’état actuel.</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush ne répond pas</translation>
    </message>
    <message>
        <source>Wait a moment. If it still does not answer, restart it.</source>
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
        <source>Idlebrush can no longer detect whether you are using the computer</source>
        <translation>Idlebrush ne peut plus détecter si vous utilisez l’ordinateur</translation>
    </message>
    <message>
        <source>Start at login could not be changed</source>
        <translation>Le démarrage à l’ouverture de session n’a pas pu être modifié</translation>
    </message>
    <message>
        <source>A desktop service does not answer</source>
        <translation>Un service du bureau ne répond pas</translation>
    </message>
    <message>
        <source>A checkpoint of the run cannot be used</source>
        <translation>Un point de contrôle du projet est inutilisable</translation>
    </message>
    <message>
        <source>The trainer keeps failing</source>
        <translation>L’entraînement échoue à répétition</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is wrong</source>
        <translation>L’horloge de cet ordinateur n’est pas à l’heure</translation>
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
        <source>The computer cannot be reached</source>
        <translation>L’ordinateur est injoignable</translation>
    </message>
    <message>
        <source>Idlebrush could not start in the background</source>
        <translation>Idlebrush n’a pas pu démarrer en arrière-plan</translation>
    </message>
    <message>
        <source>The background service belongs to another user</source>
        <translation>Le service en arrière-plan appartient à un autre utilisateur</translation>
    </message>
    <message>
        <source>The run&apos;s training data cannot be used</source>
        <translation>Les données d’entraînement du projet sont inutilisables</translation>
    </message>
    <message>
        <source>The display server does not respond correctly</source>
        <translation>Le serveur d’affichage ne répond pas correctement</translation>
    </message>
    <message>
        <source>A download failed</source>
        <translation>Un téléchargement a échoué</translation>
    </message>
    <message>
        <source>This is not a valid duration</source>
        <translation>Ce n’est pas une durée valable</translation>
    </message>
    <message>
        <source>The folder cannot be used</source>
        <translation>Le dossier est inutilisable</translation>
    </message>
    <message>
        <source>The run did not admit you</source>
        <translation>Le projet ne vous a pas admis</translation>
    </message>
    <message>
        <source>The pictures could not be drawn</source>
        <translation>Les images n’ont pas pu être dessinées</translation>
    </message>
    <message>
        <source>A training step failed and was discarded</source>
        <translation>Une étape d’entraînement a échoué et a été ignorée</translation>
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
        <source>Your system&apos;s keyring does not work</source>
        <translation>Le trousseau de votre système ne fonctionne pas</translation>
    </message>
    <message>
        <source>Your system&apos;s keyring is locked</source>
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
        <source>The memory for training cannot be planned</source>
        <translation>La mémoire nécessaire à l’entraînement ne peut pas être prévue</translation>
    </message>
    <message>
        <source>The files of the run do not fit its model</source>
        <translation>Les fichiers du projet ne correspondent pas à son modèle</translation>
    </message>
    <message>
        <source>Your system has no keyring to store the sign-in</source>
        <translation>Votre système n’a pas de trousseau pour garder la connexion</translation>
    </message>
    <message>
        <source>The NVIDIA driver does not answer</source>
        <translation>Le pilote NVIDIA ne répond pas</translation>
    </message>
    <message>
        <source>No NVIDIA driver is installed</source>
        <translation>Aucun pilote NVIDIA n’est installé</translation>
    </message>
    <message>
        <source>A part of Idlebrush is not installed</source>
        <translation>Une partie d’Idlebrush n’est pas installée</translation>
    </message>
    <message>
        <source>This preference is not valid</source>
        <translation>Cette préférence n’est pas valable</translation>
    </message>
    <message>
        <source>Training needs more memory than you allow</source>
        <translation>L’entraînement nécessite plus de mémoire que vous n’en autorisez</translation>
    </message>
    <message>
        <source>The pictures could not be ranked</source>
        <translation>Les images n’ont pas pu être notées</translation>
    </message>
    <message>
        <source>The other computer cannot be paired or controlled</source>
        <translation>L’autre ordinateur ne peut pas être appairé ou contrôlé</translation>
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
        <source>What training needs could not be installed</source>
        <translation>Ce dont l’entraînement a besoin n’a pas pu être installé</translation>
    </message>
    <message>
        <source>The run&apos;s computers leave yours out</source>
        <translation>Les ordinateurs du projet excluent le vôtre</translation>
    </message>
    <message>
        <source>The sign-in was not completed</source>
        <translation>La connexion n’a pas abouti</translation>
    </message>
    <message>
        <source>Idlebrush&apos;s saved data could not be read or written</source>
        <translation>Les données enregistrées d’Idlebrush n’ont pas pu être lues ou écrites</translation>
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
    <message>
        <source>The new version does not work on this computer</source>
        <translation>La nouvelle version ne fonctionne pas sur cet ordinateur</translation>
    </message>
    <message>
        <source>Idlebrush could not be updated</source>
        <translation>Idlebrush n’a pas pu être mis à jour</translation>
    </message>
    <message>
        <source>This computer cannot be kept awake</source>
        <translation>Cet ordinateur ne peut pas être gardé éveillé</translation>
    </message>
    <message>
        <source>This run needs a newer version of Idlebrush</source>
        <translation>Ce projet nécessite une version plus récente d’Idlebrush</translation>
    </message>
</context>
<context>
    <name>PromptForm</name>
    <message>
        <source>Prompt</source>
        <translation>Description de l’image</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Dessiner</translation>
    </message>
    <message>
        <source>default</source>
        <translation>par défaut</translation>
    </message>
    <message>
        <source>random</source>
        <translation>aléatoire</translation>
    </message>
    <message>
        <source>What should the model draw? For example, “{prompt}”</source>
        <extracomment>{prompt} is an example of what the model can draw, in the language of the run.</extracomment>
        <translation>Que doit dessiner le modèle&#xa0;? Par exemple «&#xa0;{prompt}&#xa0;»</translation>
    </message>
    <message>
        <source>What should the model draw?</source>
        <translation>Que doit dessiner le modèle&#xa0;?</translation>
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
        <source>Pictures to keep</source>
        <translation>Images à garder</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Température</translation>
    </message>
    <message>
        <source>Lower values give more predictable pictures, higher values more varied ones</source>
        <translation>Les valeurs basses donnent des images plus prévisibles, les valeurs hautes des images plus variées</translation>
    </message>
    <message>
        <source>Most likely codes</source>
        <translation>Codes les plus probables</translation>
    </message>
    <message>
        <source>Each part of a picture is sampled from this many of the most likely codes (top-k)</source>
        <translation>Chaque partie d’une image est tirée parmi ce nombre de codes les plus probables (top-k)</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>Guidage</translation>
    </message>
    <message>
        <source>Higher values follow the prompt more strictly and vary less; 1 does not guide</source>
        <translation>Les valeurs hautes suivent la description de plus près et varient moins&#xa0;; 1 ne guide pas</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Graine</translation>
    </message>
    <message>
        <source>The same seed and prompt give the same pictures</source>
        <translation>La même graine et le même texte donnent les mêmes images</translation>
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
        <source>Being drawn between training steps</source>
        <translation>Dessin entre les étapes d’entraînement</translation>
    </message>
    <message>
        <source>Paused together with training</source>
        <translation>En pause avec l’entraînement</translation>
    </message>
    <message>
        <source>Being drawn while the computer is idle</source>
        <translation>Dessin pendant que l’ordinateur est inactif</translation>
    </message>
    <message>
        <source>Being drawn slowly while you use the computer</source>
        <translation>Dessin ralenti pendant que vous utilisez l’ordinateur</translation>
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
        <source>Elapsed share of the time limit</source>
        <translation>Part écoulée du temps maximal</translation>
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
        <source>This computer continues in the background as your preferences allow. You can see what it did when you open Idlebrush again.</source>
        <translation>Cet ordinateur continue en arrière-plan selon vos préférences. Vous verrez ce qu’il a fait quand vous rouvrirez Idlebrush.</translation>
    </message>
    <message>
        <source>Stopping training</source>
        <translation>Arrêt de l’entraînement</translation>
    </message>
    <message>
        <source>This computer is leaving the swarm. This takes a few seconds.</source>
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
        <source>Your rank is recorded from time to time while this computer trains.</source>
        <translation>Votre rang est relevé de temps en temps pendant l’entraînement sur cet ordinateur.</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
</context>
<context>
    <name>Reach</name>
    <message>
        <source>Peers with IPv6 connect directly to this computer over IPv6.</source>
        <translation>Les participants qui ont IPv6 se connectent directement à cet ordinateur en IPv6.</translation>
    </message>
    <message>
        <source>Other peers can connect to this computer.</source>
        <translation>D’autres participants peuvent se connecter à cet ordinateur.</translation>
    </message>
    <message>
        <source>Other peers can connect to this computer at a port that its router forwards on request (UPnP or NAT-PMP).</source>
        <translation>D’autres participants peuvent se connecter à cet ordinateur par un port que son routeur redirige sur demande (UPnP ou NAT-PMP).</translation>
    </message>
    <message>
        <source>Other peers reach this computer through an opening in its router that both sides make (hole punching).</source>
        <translation>D’autres participants atteignent cet ordinateur par une ouverture dans son routeur que font les deux côtés (hole punching).</translation>
    </message>
    <message>
        <source>Other peers reach this computer through a relay alone, so it adds up updates for others and gives newcomers the model&apos;s state only while no peer that is reached better does.</source>
        <translation>D’autres participants n’atteignent cet ordinateur que par un relais. Il additionne donc les mises à jour pour d’autres et donne l’état du modèle aux nouveaux venus seulement tant qu’aucun participant mieux joignable ne le fait.</translation>
    </message>
    <message>
        <source>Other peers cannot connect to this computer, so it connects to them: it still trains, but neither adds up updates for others nor gives newcomers the model&apos;s state.</source>
        <translation>D’autres participants ne peuvent pas se connecter à cet ordinateur, qui se connecte donc à eux&#xa0;: il s’entraîne tout de même, mais n’additionne pas les mises à jour pour d’autres et ne donne pas l’état du modèle aux nouveaux venus.</translation>
    </message>
    <message>
        <source>No peer of the run could check whether others can connect to this computer: it still trains, but until one can, it neither adds up updates for others nor gives newcomers the model&apos;s state.</source>
        <translation>Aucun participant du projet n’a pu vérifier si d’autres peuvent se connecter à cet ordinateur&#xa0;: il s’entraîne tout de même, mais tant qu’aucun ne le peut, il n’additionne pas les mises à jour pour d’autres et ne donne pas l’état du modèle aux nouveaux venus.</translation>
    </message>
    <message>
        <source>This is checked again every five minutes; if it stays so, tell the run&apos;s organiser.</source>
        <translation>Cela est revérifié toutes les cinq minutes&#xa0;; si rien ne change, prévenez l’organisateur du projet.</translation>
    </message>
    <message>
        <source>Nothing has to be changed.</source>
        <translation>Il n’y a rien à changer.</translation>
    </message>
    <message>
        <source>To help the swarm more, turn on the preference “{preference}”, or forward TCP port {port} to this computer in the router.</source>
        <extracomment>{preference} is the title of a preference.</extracomment>
        <translation>Pour aider davantage l’essaim, activez la préférence «&#xa0;{preference}&#xa0;», ou redirigez le port TCP {port} vers cet ordinateur dans le routeur.</translation>
    </message>
    <message>
        <source>To help the swarm more, forward TCP port {port} to this computer in the router, or allow UPnP or NAT-PMP there.</source>
        <translation>Pour aider davantage l’essaim, redirigez le port TCP {port} vers cet ordinateur dans le routeur, ou autorisez-y UPnP ou NAT-PMP.</translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message>
        <source>it is outside your training hours until {moment}</source>
        <translation>hors de vos heures d’entraînement (reprise&#xa0;: {moment})</translation>
    </message>
    <message>
        <source>{programs} fills the screen</source>
        <extracomment>{programs} is the name of a program, or several with commas between them.</extracomment>
        <translation>{programs} remplit l’écran</translation>
    </message>
    <message>
        <source>the exclusive application {programs} is running</source>
        <translation>l’application prioritaire {programs} est ouverte</translation>
    </message>
    <message>
        <source>{programs} keeps the screen on</source>
        <translation>{programs} garde l’écran allumé</translation>
    </message>
    <message>
        <source>this run needs {programs} or newer; this is {version}. Update Idlebrush to continue</source>
        <extracomment>{programs} is such as &quot;Idlebrush 0.3&quot;, {version} is such as &quot;0.1.0&quot;.</extracomment>
        <translation>ce projet nécessite {programs} ou plus récent&#xa0;; ceci est la version {version}. Mettez Idlebrush à jour pour continuer</translation>
    </message>
    <message>
        <source>electricity costs more than your limit until {moment}</source>
        <translation>l’électricité coûte plus que votre limite (reprise&#xa0;: {moment})</translation>
    </message>
    <message>
        <source>electricity causes more CO2 than your limit until {moment}</source>
        <translation>l’électricité cause plus de CO2 que votre limite (reprise&#xa0;: {moment})</translation>
    </message>
    <message>
        <source>you have not agreed to train yet</source>
        <extracomment>All of these follow &quot;Paused: &quot; or &quot;Slowed to 50%: &quot;, and also stand alone, capitalised.</extracomment>
        <translation>vous n’avez pas encore accepté l’entraînement</translation>
    </message>
    <message>
        <source>you chose “Never”</source>
        <translation>vous avez choisi «&#xa0;Jamais&#xa0;»</translation>
    </message>
    <message>
        <source>you paused training</source>
        <translation>vous avez mis l’entraînement en pause</translation>
    </message>
    <message>
        <source>you snoozed training</source>
        <translation>vous avez mis l’entraînement en pause temporaire</translation>
    </message>
    <message>
        <source>a speed test of another run is in progress</source>
        <translation>un test de vitesse d’un autre projet est en cours</translation>
    </message>
    <message>
        <source>this run needs a newer version of Idlebrush</source>
        <translation>ce projet nécessite une version plus récente d’Idlebrush</translation>
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
        <source>another program needs the GPU memory</source>
        <translation>un autre programme a besoin de la mémoire du GPU</translation>
    </message>
    <message>
        <source>memory is low</source>
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
        <source>the computer runs on battery</source>
        <translation>l’ordinateur est sur batterie</translation>
    </message>
    <message>
        <source>the battery is low</source>
        <translation>la batterie est faible</translation>
    </message>
    <message>
        <source>it is outside your training hours</source>
        <translation>hors de vos heures d’entraînement</translation>
    </message>
    <message>
        <source>electricity costs more than your limit</source>
        <translation>l’électricité coûte plus que votre limite</translation>
    </message>
    <message>
        <source>electricity causes more CO2 than your limit</source>
        <translation>l’électricité cause plus de CO2 que votre limite</translation>
    </message>
    <message>
        <source>the network connection is metered</source>
        <translation>la connexion réseau est limitée</translation>
    </message>
    <message>
        <source>this month&apos;s traffic quota is used up</source>
        <translation>le quota de trafic de ce mois est épuisé</translation>
    </message>
    <message>
        <source>the disk is nearly full</source>
        <translation>le disque est presque plein</translation>
    </message>
    <message>
        <source>runs have reached your disk space limit</source>
        <translation>les projets ont atteint votre limite d’espace disque</translation>
    </message>
    <message>
        <source>the processor is held at its target temperature</source>
        <translation>le processeur est maintenu à sa température cible</translation>
    </message>
    <message>
        <source>the GPU is held at its target temperature</source>
        <translation>le GPU est maintenu à sa température cible</translation>
    </message>
    <message>
        <source>the GPU&apos;s power is limited</source>
        <translation>la puissance du GPU est limitée</translation>
    </message>
    <message>
        <source>you limited training to a share of the time</source>
        <translation>vous avez limité l’entraînement à une part du temps</translation>
    </message>
</context>
<context>
    <name>RecordsCard</name>
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
        <source>Share</source>
        <translation>Partager</translation>
    </message>
    <message>
        <source>The export has one row per day. The run&apos;s coordinator also signs receipts for your contribution.</source>
        <translation>L’export contient une ligne par jour. Le coordinateur du projet signe aussi des reçus pour votre contribution.</translation>
    </message>
    <message>
        <source>The export has one row per day, for a spreadsheet or a program.</source>
        <translation>L’export contient une ligne par jour, pour un tableur ou un programme.</translation>
    </message>
    <message>
        <source>Open my public page</source>
        <translation>Ouvrir ma page publique</translation>
    </message>
    <message>
        <source>Open a picture to share</source>
        <translation>Ouvrir une image à partager</translation>
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
        <source>Choose another folder, or free some disk space. The system reports: {why}</source>
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
        <source>Your signed receipts are saved on this computer</source>
        <translation>Vos reçus signés sont enregistrés sur cet ordinateur</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Ouvrir le dossier</translation>
    </message>
</context>
<context>
    <name>RunPictures</name>
    <message>
        <source>Save as a moving picture…</source>
        <translation>Enregistrer comme image animée…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
    </message>
    <message>
        <source>Time-lapse to epoch {epoch}</source>
        <translation>Accéléré jusqu’à l’époque {epoch}</translation>
    </message>
    <message>
        <source>The moving picture is being made</source>
        <translation>L’image animée est en cours de création</translation>
    </message>
    <message>
        <source>The moving picture is saved</source>
        <translation>L’image animée est enregistrée</translation>
    </message>
    <message>
        <source>The moving picture could not be saved</source>
        <translation>L’image animée n’a pas pu être enregistrée</translation>
    </message>
    <message>
        <source>Nothing here yet</source>
        <translation>Rien ici pour l’instant</translation>
    </message>
    <message>
        <source>Every few epochs, the model makes something of the run&apos;s prompts. It appears here.</source>
        <translation>Toutes les quelques époques, le modèle produit quelque chose à partir des textes du projet. Le résultat apparaît ici.</translation>
    </message>
    <message>
        <source>Choose a run to watch its model improve here.</source>
        <translation>Choisissez un projet pour voir ici son modèle s’améliorer.</translation>
    </message>
    <message>
        <source>What the model writes</source>
        <translation>Ce que le modèle écrit</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Pas encore de projet</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Ouvrir le dossier</translation>
    </message>
    <message>
        <source>What the run has made cannot be read</source>
        <translation>Ce que le projet a produit ne peut pas être lu</translation>
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
        <source>A small run for this computer only</source>
        <translation>Un petit projet pour cet ordinateur seulement</translation>
    </message>
    <message>
        <source>From a list</source>
        <translation>D&apos;une liste</translation>
    </message>
    <message>
        <source>Runs that others recommend</source>
        <translation>Projets que d&apos;autres recommandent</translation>
    </message>
    <message>
        <source>From a link</source>
        <translation>Par un lien</translation>
    </message>
    <message>
        <source>From a run&apos;s website or a friend</source>
        <translation>Du site web d’un projet ou d’un ami</translation>
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
        <source>Inspecting the run</source>
        <translation>Examen du projet</translation>
    </message>
    <message>
        <source>Inspecting the run and this computer…</source>
        <translation>Examen du projet et de cet ordinateur…</translation>
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
    <name>RunsCard</name>
    <message>
        <source>By run</source>
        <translation>Par projet</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Exemples</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Époques</translation>
    </message>
    <message>
        <source>Computing time</source>
        <translation>Temps de calcul</translation>
    </message>
</context>
<context>
    <name>SaveDialog</name>
    <message>
        <source>Pictures (*{suffix})</source>
        <translation>Images (*{suffix})</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>Enregistrer l’image</translation>
    </message>
    <message>
        <source>Save as a moving picture</source>
        <translation>Enregistrer comme image animée</translation>
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
    <name>SettingRow</name>
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
    <name>Setup</name>
    <message>
        <source>Cancel the installation?</source>
        <translation>Annuler l’installation&#xa0;?</translation>
    </message>
    <message>
        <source>What was downloaded is removed. This computer does not train until it is installed.</source>
        <translation>Ce qui a été téléchargé est supprimé. Cet ordinateur ne s’entraîne pas avant que tout soit installé.</translation>
    </message>
    <message>
        <source>Cancel it</source>
        <translation>L’annuler</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Continuer</translation>
    </message>
    <message>
        <source>Restart the computer now?</source>
        <translation>Redémarrer l’ordinateur maintenant ?</translation>
    </message>
    <message>
        <source>Save your work first. Idlebrush continues by itself after the restart.</source>
        <translation>Enregistrez d’abord votre travail. Idlebrush continue de lui-même après le redémarrage.</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>Redémarrer maintenant</translation>
    </message>
    <message>
        <source>Restart into the firmware’s settings now?</source>
        <translation>Redémarrer maintenant dans les réglages du micrologiciel ?</translation>
    </message>
    <message>
        <source>Windows asks an administrator to agree, and restarts at once: save your work first. Turn on Intel VT-x or AMD SVM there, often below “Advanced” or “CPU”, and save. Idlebrush continues by itself after the restart.</source>
        <translation>Windows demande l’accord d’un administrateur et redémarre aussitôt : enregistrez d’abord votre travail. Activez-y Intel VT-x ou AMD SVM, souvent sous « Advanced » ou « CPU », et enregistrez. Idlebrush continue de lui-même après le redémarrage.</translation>
    </message>
    <message>
        <source>Update WSL now?</source>
        <translation>Mettre à jour WSL maintenant ?</translation>
    </message>
    <message>
        <source>All Linux systems in WSL are ended for that, also those of other programs: save your work in them first. Windows may ask an administrator to agree. Training continues afterwards.</source>
        <translation>Tous les systèmes Linux dans WSL sont arrêtés pour cela, y compris ceux d’autres programmes : enregistrez-y d’abord votre travail. Windows peut demander l’accord d’un administrateur. L’entraînement reprend ensuite.</translation>
    </message>
    <message>
        <source>Update now</source>
        <translation>Mettre à jour maintenant</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Pas maintenant</translation>
    </message>
    <message>
        <source>Training needs more packages</source>
        <translation>L’entraînement a besoin d’autres paquets</translation>
    </message>
    <message>
        <source>Finding the packages for this computer…</source>
        <translation>Recherche des paquets pour cet ordinateur…</translation>
    </message>
    <message>
        <source>The download waits</source>
        <translation>Le téléchargement attend</translation>
    </message>
    <message>
        <source>You have paused the download</source>
        <translation>Vous avez mis le téléchargement en pause</translation>
    </message>
    <message>
        <source>This Windows is too old for training</source>
        <translation>Ce Windows est trop ancien pour l’entraînement</translation>
    </message>
    <message>
        <source>This computer’s virtualisation is turned off</source>
        <translation>La virtualisation de cet ordinateur est désactivée</translation>
    </message>
    <message>
        <source>Training needs a part of Windows that is turned off</source>
        <translation>L’entraînement a besoin d’une partie de Windows qui est désactivée</translation>
    </message>
    <message>
        <source>The computer has to restart</source>
        <translation>L’ordinateur doit redémarrer</translation>
    </message>
    <message>
        <source>Training needs more free disk space</source>
        <translation>L’entraînement a besoin de plus d’espace disque libre</translation>
    </message>
    <message>
        <source>Virtualisation seems to be turned off</source>
        <translation>La virtualisation semble être désactivée</translation>
    </message>
    <message>
        <source>Training needs it. If turning on WSL does not help, turn on Intel VT-x or AMD SVM in the settings of the computer’s firmware.</source>
        <translation>L’entraînement en a besoin. Si activer WSL ne suffit pas, activez Intel VT-x ou AMD SVM dans les réglages du micrologiciel de l’ordinateur.</translation>
    </message>
    <message>
        <source>The WSL that came with Windows is in use</source>
        <translation>Le WSL fourni avec Windows est utilisé</translation>
    </message>
    <message>
        <source>It gets no corrections any more. Idlebrush can have it updated.</source>
        <translation>Il ne reçoit plus de corrections. Idlebrush peut le faire mettre à jour.</translation>
    </message>
    <message>
        <source>NVIDIA’s driver is too old to train on the GPU</source>
        <translation>Le pilote NVIDIA est trop ancien pour l’entraînement sur le GPU</translation>
    </message>
    <message>
        <source>This computer would train on its processor. Install NVIDIA’s current driver for Windows.</source>
        <translation>Cet ordinateur s’entraînerait sur son processeur. Installez le pilote NVIDIA actuel pour Windows.</translation>
    </message>
    <message>
        <source>Another person has to agree</source>
        <translation>Une autre personne doit donner son accord</translation>
    </message>
    <message>
        <source>You do not administer this computer. Have someone who does enter a password when Windows asks for one.</source>
        <translation>Vous n’administrez pas cet ordinateur. Demandez à une personne qui l’administre de saisir un mot de passe quand Windows le demande.</translation>
    </message>
    <message>
        <source>The download was interrupted</source>
        <translation>Le téléchargement a été interrompu</translation>
    </message>
    <message>
        <source>The packages for training could not be installed</source>
        <translation>Les paquets pour l’entraînement n’ont pas pu être installés</translation>
    </message>
    <message>
        <source>This computer is ready to train</source>
        <translation>Cet ordinateur est prêt pour l’entraînement</translation>
    </message>
    <message>
        <source>Checking this computer</source>
        <translation>Vérification de cet ordinateur</translation>
    </message>
    <message>
        <source>Windows asks for an administrator’s consent</source>
        <translation>Windows demande l’accord d’un administrateur</translation>
    </message>
    <message>
        <source>Downloading Linux for training</source>
        <translation>Téléchargement de Linux pour l’entraînement</translation>
    </message>
    <message>
        <source>Setting up Linux for training</source>
        <translation>Installation de Linux pour l’entraînement</translation>
    </message>
    <message>
        <source>Updating WSL</source>
        <translation>Mise à jour de WSL</translation>
    </message>
    <message>
        <source>The download waits: {reason}</source>
        <extracomment>{reason} is such as &quot;the network connection is metered&quot;.</extracomment>
        <translation>Le téléchargement attend&#xa0;: {reason}</translation>
    </message>
    <message>
        <source>Downloading the packages for training</source>
        <translation>Téléchargement des paquets pour l’entraînement</translation>
    </message>
    <message>
        <source>Installing the packages for training</source>
        <translation>Installation des paquets pour l’entraînement</translation>
    </message>
    <message>
        <source>Testing the packages on this computer</source>
        <translation>Test des paquets sur cet ordinateur</translation>
    </message>
    <message>
        <source>Completing the installation</source>
        <translation>Finalisation de l’installation</translation>
    </message>
    <message>
        <source>Preparing the download</source>
        <translation>Préparation du téléchargement</translation>
    </message>
    <message>
        <source>PyTorch and the packages that it needs are downloaded once. Idlebrush checks each file, tests the result, and keeps it in its own folder.</source>
        <translation>PyTorch et les paquets dont il a besoin sont téléchargés une seule fois. Idlebrush vérifie chaque fichier, teste le résultat et le conserve dans son propre dossier.</translation>
    </message>
    <message>
        <source>What was downloaded is kept.</source>
        <translation>Ce qui a été téléchargé est conservé.</translation>
    </message>
    <message>
        <source>The next attempt begins at {moment}. What was downloaded is kept.</source>
        <extracomment>{moment} is a time such as &quot;14:30&quot;.</extracomment>
        <translation>La prochaine tentative commence à {moment}. Ce qui a été téléchargé est conservé.</translation>
    </message>
    <message>
        <source>It continues in the background, also when this window is closed.</source>
        <translation>Cela continue en arrière-plan, même si cette fenêtre est fermée.</translation>
    </message>
    <message>
        <source>All packages for training are installed and tested.</source>
        <translation>Tous les paquets pour l’entraînement sont installés et testés.</translation>
    </message>
    <message>
        <source>{size}, once</source>
        <translation>{size}, une seule fois</translation>
    </message>
    <message>
        <source>Up to {size} while it is installed</source>
        <translation>Jusqu’à {size} pendant l’installation</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Téléchargement</translation>
    </message>
    <message>
        <source>Disk space</source>
        <translation>Espace disque</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Cet ordinateur</translation>
    </message>
    <message>
        <source>Training runs in a small Linux of its own, within WSL, a part of Windows. It is removed with Idlebrush.</source>
        <translation>L’entraînement a lieu dans un petit Linux à part, au sein de WSL, une partie de Windows. Il est supprimé avec Idlebrush.</translation>
    </message>
    <message>
        <source>Linux</source>
        <translation>Linux</translation>
    </message>
    <message>
        <source>Not included</source>
        <translation>Non inclus</translation>
    </message>
    <message>
        <source>This computer trains on its processor, not on its GPU</source>
        <translation>Cet ordinateur s’entraîne sur son processeur, pas sur son GPU</translation>
    </message>
    <message>
        <source>Step {done} of {total}</source>
        <translation>Étape {done} sur {total}</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <extracomment>Both are sizes, such as &quot;1.2 GB of 2.9 GB&quot;.</extracomment>
        <translation>{done} sur {total}</translation>
    </message>
    <message>
        <source>{done} of {total}, about {duration} left</source>
        <extracomment>{duration} is such as &quot;3 min&quot;.</extracomment>
        <translation>{done} sur {total}, encore environ {duration}</translation>
    </message>
    <message>
        <source>Find the packages</source>
        <translation>Rechercher les paquets</translation>
    </message>
    <message>
        <source>Download and install</source>
        <translation>Télécharger et installer</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Réessayer</translation>
    </message>
    <message>
        <source>Pause the download</source>
        <translation>Mettre le téléchargement en pause</translation>
    </message>
    <message>
        <source>Continue the download</source>
        <translation>Continuer le téléchargement</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Vérifier à nouveau</translation>
    </message>
    <message>
        <source>Turn on WSL</source>
        <translation>Activer WSL</translation>
    </message>
    <message>
        <source>Update WSL</source>
        <translation>Mettre à jour WSL</translation>
    </message>
    <message>
        <source>Restart the computer</source>
        <translation>Redémarrer l’ordinateur</translation>
    </message>
    <message>
        <source>Restart into the firmware’s settings</source>
        <translation>Redémarrer dans les réglages du micrologiciel</translation>
    </message>
    <message>
        <source>How to turn it on</source>
        <translation>Comment l’activer</translation>
    </message>
    <message>
        <source>Open Windows Update</source>
        <translation>Ouvrir Windows Update</translation>
    </message>
    <message>
        <source>Open the storage settings</source>
        <translation>Ouvrir les paramètres de stockage</translation>
    </message>
    <message>
        <source>Open NVIDIA’s driver page</source>
        <translation>Ouvrir la page des pilotes NVIDIA</translation>
    </message>
    <message>
        <source>The page could not be opened</source>
        <translation>La page n’a pas pu être ouverte</translation>
    </message>
    <message>
        <source>WSL was not updated</source>
        <translation>WSL n’a pas été mis à jour</translation>
    </message>
    <message>
        <source>The computer does not restart</source>
        <translation>L’ordinateur ne redémarre pas</translation>
    </message>
</context>
<context>
    <name>SetupPanel</name>
    <message>
        <source>Progress of the installation</source>
        <translation>Progression de l’installation</translation>
    </message>
</context>
<context>
    <name>SetupScreen</name>
    <message>
        <source>One more download</source>
        <translation>Encore un téléchargement</translation>
    </message>
    <message>
        <source>Training needs large packages that fit this computer. They are not part of the app.</source>
        <translation>L’entraînement a besoin de gros paquets adaptés à cet ordinateur. Ils ne font pas partie de l’application.</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Pas maintenant</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>Installer</translation>
    </message>
    <message>
        <source>Open Idlebrush</source>
        <translation>Ouvrir Idlebrush</translation>
    </message>
    <message>
        <source>The installation continues in the background.</source>
        <translation>L’installation continue en arrière-plan.</translation>
    </message>
</context>
<context>
    <name>SignInScreen</name>
    <message>
        <source>Sign in (optional)</source>
        <translation>Se connecter (facultatif)</translation>
    </message>
    <message>
        <source>Some runs admit only people with certain accounts on the Hugging Face Hub. Open runs and the run that comes with Idlebrush need no account. You can skip this step and sign in later.</source>
        <translation>Certains projets n’admettent que les personnes ayant certains comptes sur le Hugging Face Hub. Les projets ouverts et celui fourni avec Idlebrush ne demandent aucun compte. Vous pouvez passer cette étape et vous connecter plus tard.</translation>
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
        <source>You get a short code and enter it in a browser, here or on your phone. Idlebrush never sees your password. It requests only your user name.</source>
        <translation>Vous recevez un code court et le saisissez dans un navigateur, ici ou sur votre téléphone. Idlebrush ne voit jamais votre mot de passe. Il ne demande que votre nom d’utilisateur.</translation>
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
        <source>Only until Idlebrush quits</source>
        <translation>Seulement jusqu’à la fermeture d’Idlebrush</translation>
    </message>
    <message>
        <source>In a file that only I can read</source>
        <translation>Dans un fichier que moi seul peux lire</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot store your sign-in</source>
        <translation>Le trousseau de cet ordinateur ne peut pas garder votre connexion</translation>
    </message>
    <message>
        <source>Unlock the keyring and try again, or store the sign-in elsewhere.</source>
        <translation>Déverrouillez le trousseau et réessayez, ou gardez la connexion ailleurs.</translation>
    </message>
    <message>
        <source>Requesting a code…</source>
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
        <source>Wait a moment. If nothing changes, end process {pid} and start Idlebrush again.</source>
        <translation>Attendez un instant. Si rien ne change, arrêtez le processus {pid} et relancez Idlebrush.</translation>
    </message>
    <message>
        <source>The file {file} cannot be written.</source>
        <translation>Le fichier {file} ne peut pas être écrit.</translation>
    </message>
    <message>
        <source>Free some disk space, or set IDLEBRUSH_HOME to a folder that you can write to.</source>
        <translation>Libérez de l’espace disque, ou indiquez dans IDLEBRUSH_HOME un dossier où vous pouvez écrire.</translation>
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
    <name>TeamModel</name>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>Équipe</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Exemples</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>7 derniers jours</translation>
    </message>
    <message>
        <source>Members</source>
        <translation>Membres</translation>
    </message>
</context>
<context>
    <name>TeamsPanel</name>
    <message>
        <source>Name of a team</source>
        <translation>Nom d’une équipe</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>Rejoindre</translation>
    </message>
    <message>
        <source>Found a new team</source>
        <translation>Fonder une équipe</translation>
    </message>
    <message>
        <source>Leave the team</source>
        <translation>Quitter l’équipe</translation>
    </message>
    <message>
        <source>Leaderboard of teams</source>
        <translation>Classement des équipes</translation>
    </message>
    <message>
        <source>Leave {team} and close it?</source>
        <translation>Quitter {team} et fermer cette équipe ?</translation>
    </message>
    <message>
        <source>You are the last member: the team is closed and its name cannot be used again.</source>
        <translation>Vous êtes le dernier membre : l’équipe est fermée et son nom ne pourra plus être utilisé.</translation>
    </message>
    <message>
        <source>Leave and close</source>
        <translation>Quitter et fermer</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Rester</translation>
    </message>
</context>
<context>
    <name>TextEditor</name>
    <message>
        <source>{preference}: {word}</source>
        <translation>{preference}&#xa0;: {word}</translation>
    </message>
</context>
<context>
    <name>TimesScreen</name>
    <message>
        <source>When may this computer train?</source>
        <translation>Quand cet ordinateur peut-il s’entraîner&#xa0;?</translation>
    </message>
    <message>
        <source>These defaults suit most computers. You can change them and many other preferences at any time.</source>
        <translation>Ces réglages conviennent à la plupart des ordinateurs. Vous pouvez les modifier à tout moment, comme beaucoup d’autres préférences.</translation>
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
        <source>“Always” also trains while you use the computer.</source>
        <translation>«&#xa0;Toujours&#xa0;»&#xa0;: l’entraînement continue quand vous utilisez l’ordinateur.</translation>
    </message>
    <message>
        <source>You are away after</source>
        <translation>Absent après</translation>
    </message>
    <message>
        <source>This is the time without keyboard or mouse input. Training stops at once when you come back.</source>
        <translation>C’est le temps sans saisie au clavier ni à la souris. À votre retour, l’entraînement s’arrête aussitôt.</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>Heures d’entraînement</translation>
    </message>
    <message>
        <source>Hours are in local time.</source>
        <translation>Les heures sont en heure locale.</translation>
    </message>
    <message>
        <source>Heat and noise</source>
        <translation>Chaleur et bruit</translation>
    </message>
    <message>
        <source>Breaks between steps keep the computer cooler and quieter.</source>
        <translation>Des pauses entre les étapes gardent l’ordinateur plus frais et plus silencieux.</translation>
    </message>
    <message>
        <source>Train on battery</source>
        <translation>Entraînement sur batterie</translation>
    </message>
    <message>
        <source>If this is off, training waits until the computer is plugged in.</source>
        <translation>Si cette option est désactivée, l’entraînement attend que l’ordinateur soit branché.</translation>
    </message>
    <message>
        <source>Start when I log in</source>
        <translation>Démarrer à l’ouverture de ma session</translation>
    </message>
    <message>
        <source>Idlebrush starts in the background, without a window.</source>
        <translation>Idlebrush démarre en arrière-plan, sans fenêtre.</translation>
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
        <source>Check and sign in</source>
        <translation>Vérifier et se connecter</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Vérification…</translation>
    </message>
    <message>
        <source>Create a token</source>
        <translation>Créer un jeton</translation>
    </message>
    <message>
        <source>A read-only token is enough. Idlebrush sends it only to the Hugging Face Hub.</source>
        <translation>Un jeton en lecture seule suffit. Idlebrush ne le transmet qu’au Hugging Face Hub.</translation>
    </message>
    <message>
        <source>Hide the token</source>
        <translation>Masquer le jeton</translation>
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
        <source>According to my &amp;preferences</source>
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
        <source>Idlebrush is not running in the background</source>
        <translation>Idlebrush ne fonctionne pas en arrière-plan</translation>
    </message>
    <message>
        <source>This computer does not train until you start it.</source>
        <translation>Pas d’entraînement tant que vous ne le démarrez pas.</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush ne répond pas</translation>
    </message>
    <message>
        <source>The computer may be very busy. This window shows the last known state.</source>
        <translation>L’ordinateur est peut-être très occupé. Cette fenêtre montre le dernier état connu.</translation>
    </message>
    <message>
        <source>Another version of Idlebrush is running in the background</source>
        <translation>Une autre version d’Idlebrush fonctionne en arrière-plan</translation>
    </message>
    <message>
        <source>Restart it so that both parts have the same version. Training continues afterwards.</source>
        <translation>Redémarrez-la pour que les deux parties aient la même version. L’entraînement continue ensuite.</translation>
    </message>
    <message>
        <source>Idlebrush is running as another user</source>
        <translation>Idlebrush fonctionne sous un autre utilisateur</translation>
    </message>
    <message>
        <source>Idlebrush could not be started</source>
        <translation>Idlebrush n’a pas pu être démarré</translation>
    </message>
    <message>
        <source>This computer cannot train yet</source>
        <translation>Cet ordinateur ne peut pas encore s’entraîner</translation>
    </message>
    <message>
        <source>The packages for training are not installed.</source>
        <translation>Les paquets pour l’entraînement ne sont pas installés.</translation>
    </message>
    <message>
        <source>The packages for training could not be installed</source>
        <translation>Les paquets pour l’entraînement n’ont pas pu être installés</translation>
    </message>
    <message>
        <source>This computer does not train until they are installed.</source>
        <translation>Cet ordinateur ne s’entraîne pas avant qu’ils soient installés.</translation>
    </message>
    <message>
        <source>The download of the packages for training is paused</source>
        <translation>Le téléchargement des paquets pour l’entraînement est en pause</translation>
    </message>
    <message>
        <source>This computer does not train until it is complete.</source>
        <translation>Cet ordinateur ne s’entraîne pas avant qu’il soit terminé.</translation>
    </message>
    <message>
        <source>The packages for training are being installed</source>
        <translation>Les paquets pour l’entraînement sont en cours d’installation</translation>
    </message>
    <message>
        <source>The page “Now” shows the progress.</source>
        <translation>La page «&#xa0;Maintenant&#xa0;» montre la progression.</translation>
    </message>
    <message>
        <source>Start it</source>
        <translation>Démarrer</translation>
    </message>
    <message>
        <source>Restart it</source>
        <translation>Redémarrer</translation>
    </message>
    <message>
        <source>Install them</source>
        <translation>Les installer</translation>
    </message>
    <message>
        <source>Continue the download</source>
        <translation>Continuer le téléchargement</translation>
    </message>
</context>
<context>
    <name>UpdateCard</name>
    <message>
        <source>Updates</source>
        <translation>Mises à jour</translation>
    </message>
    <message>
        <source>&amp;Install now</source>
        <translation>&amp;Installer maintenant</translation>
    </message>
    <message>
        <source>&amp;Not now</source>
        <translation>Pas main&amp;tenant</translation>
    </message>
    <message>
        <source>&amp;What&apos;s new</source>
        <translation>&amp;Nouveautés</translation>
    </message>
    <message>
        <source>&amp;Look for updates</source>
        <translation>&amp;Chercher des mises à jour</translation>
    </message>
</context>
<context>
    <name>Updates</name>
    <message>
        <source>Looking for a newer version</source>
        <translation>Recherche d’une version plus récente</translation>
    </message>
    <message>
        <source>Idlebrush {version} is available</source>
        <translation>Idlebrush {version} est disponible</translation>
    </message>
    <message>
        <source>Downloading Idlebrush {version}</source>
        <translation>Téléchargement d’Idlebrush {version}</translation>
    </message>
    <message>
        <source>Installing Idlebrush {version}</source>
        <translation>Installation d’Idlebrush {version}</translation>
    </message>
    <message>
        <source>Idlebrush {version} did not work on this computer</source>
        <translation>Idlebrush {version} n’a pas fonctionné sur cet ordinateur</translation>
    </message>
    <message>
        <source>Idlebrush {version} is installed</source>
        <translation>Idlebrush {version} est installé</translation>
    </message>
    <message>
        <source>The version before it is kept until this one has trained an epoch.</source>
        <translation>La version précédente est conservée jusqu’à ce que celle-ci ait entraîné une époque.</translation>
    </message>
    <message>
        <source>The version before it is in use again. This one is not tried again.</source>
        <translation>La version précédente est de nouveau utilisée. Celle-ci n’est plus essayée.</translation>
    </message>
    <message>
        <source>Training continues in a moment.</source>
        <translation>L’entraînement reprend dans un instant.</translation>
    </message>
    <message>
        <source>Updates are turned off in the preferences.</source>
        <translation>Les mises à jour sont désactivées dans les préférences.</translation>
    </message>
    <message>
        <source>You put it off until tomorrow.</source>
        <translation>Vous l’avez reportée à demain.</translation>
    </message>
    <message>
        <source>This version is too old to update itself. Download the new one from the website.</source>
        <translation>Cette version est trop ancienne pour se mettre à jour toute seule. Téléchargez la nouvelle sur le site web.</translation>
    </message>
    <message>
        <source>Your system&apos;s package manager installs it.</source>
        <translation>Le gestionnaire de paquets de votre système l’installe.</translation>
    </message>
    <message>
        <source>Download the new package from the page /join of a run&apos;s website, and install it over this one.</source>
        <translation>Téléchargez le nouveau paquet sur la page /join du site web d’un projet, et installez-le par-dessus celui-ci.</translation>
    </message>
    <message>
        <source>It is downloaded once the connection is no longer metered.</source>
        <translation>Elle est téléchargée dès que la connexion n’est plus limitée.</translation>
    </message>
    <message>
        <source>It is larger than what is left of this month&apos;s traffic quota.</source>
        <translation>Elle dépasse ce qui reste du quota de trafic de ce mois.</translation>
    </message>
    <message>
        <source>It waits until the computer runs on mains power.</source>
        <translation>Elle attend que l’ordinateur soit branché sur le secteur.</translation>
    </message>
    <message>
        <source>It is installed at the next pause of training.</source>
        <translation>Elle est installée à la prochaine pause de l’entraînement.</translation>
    </message>
    <message>
        <source>It is installed once your pictures, previews and sign-ins are done.</source>
        <translation>Elle est installée dès que vos images, aperçus et connexions sont terminés.</translation>
    </message>
</context>
<context>
    <name>WeeklyEditor</name>
    <message>
        <source>The first number is for all hours. Others follow with their times, with semicolons between them.</source>
        <translation>Le premier nombre vaut pour toutes les heures. D’autres suivent avec leurs horaires, séparés par des points-virgules.</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Welcome</source>
        <translation>Bienvenue</translation>
    </message>
    <message>
        <source>Get started</source>
        <translation>Commençons</translation>
    </message>
    <message>
        <source>Your computer can help a machine learn to paint</source>
        <translation>Votre ordinateur peut aider une machine à apprendre à peindre</translation>
    </message>
    <message>
        <source>While you are away, Idlebrush trains one model together with other people&apos;s computers. The model turns words into pictures, and you can watch it improve.</source>
        <translation>En votre absence, Idlebrush entraîne un modèle avec les ordinateurs d’autres personnes. Le modèle transforme des mots en images, et vous pouvez le voir s’améliorer.</translation>
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
        <source>Pause at once when you use the computer.</source>
        <translation>Faire une pause aussitôt que vous utilisez l’ordinateur.</translation>
    </message>
    <message>
        <source>Pause on battery, during games and videos, and when the computer is hot.</source>
        <translation>Faire une pause sur batterie, pendant les jeux et les vidéos, et quand l’ordinateur chauffe.</translation>
    </message>
    <message>
        <source>Keep to the limits that you set for heat, noise, memory and bandwidth.</source>
        <translation>Respecter les limites que vous fixez pour la chaleur, le bruit, la mémoire et le débit.</translation>
    </message>
    <message>
        <source>Train before you agree in step {step}.</source>
        <extracomment>{step} is the number of the step in which the user agrees.</extracomment>
        <translation>Entraîner avant votre accord, à l’étape {step}.</translation>
    </message>
    <message>
        <source>Read or send your files. Others see this computer&apos;s Internet address and its speed.</source>
        <translation>Lire ou envoyer vos fichiers. Les autres voient l’adresse Internet de cet ordinateur et sa vitesse.</translation>
    </message>
    <message>
        <source>Run programs that others send. The computers exchange only numbers.</source>
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
        <source>My computers</source>
        <translation>Mes ordinateurs</translation>
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
