<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es_ES">
<context>
    <name>AboutHeader</name>
    <message>
        <source>Website of the run</source>
        <translation>Sitio web del proyecto</translation>
    </message>
    <message>
        <source>Handbook</source>
        <translation>Manual</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>Versión {version}</translation>
    </message>
    <message>
        <source>System</source>
        <translation>Sistema</translation>
    </message>
    <message>
        <source>In the background</source>
        <translation>En segundo plano</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Copiado</translation>
    </message>
    <message>
        <source>Copy details for a bug report</source>
        <translation>Copiar datos para informar de un error</translation>
    </message>
    <message>
        <source>Idle computers together train a model that draws pictures or writes text.</source>
        <translation>Los ordenadores inactivos entrenan juntos un modelo que dibuja imágenes o escribe textos.</translation>
    </message>
</context>
<context>
    <name>AboutPage</name>
    <message>
        <source>Another version is running in the background</source>
        <translation>En segundo plano se está ejecutando otra versión</translation>
    </message>
    <message>
        <source>The app is version {app}, its background part version {daemon}. Restart that part so that both match.</source>
        <translation>La aplicación es la versión {app}; la parte en segundo plano, la {daemon}. Reinicia esa parte para que coincidan.</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Reiniciar</translation>
    </message>
</context>
<context>
    <name>Activity</name>
    <message>
        <source>You have not joined a run yet</source>
        <translation>Aún no te has unido a ningún proyecto</translation>
    </message>
    <message>
        <source>{number} samples/s</source>
        <translation>{number} muestras/s</translation>
    </message>
    <message>
        <source>{number} samples/min</source>
        <translation>{number} muestras/min</translation>
    </message>
    <message>
        <source>{number} samples/h</source>
        <translation>{number} muestras/h</translation>
    </message>
    <message>
        <source>Paused until {moment}</source>
        <translation>En pausa. Se reanuda: {moment}</translation>
    </message>
    <message>
        <source>Paused: {reason}</source>
        <translation>En pausa: {reason}</translation>
    </message>
    <message>
        <source>Slowed to {percent}: {reason}</source>
        <translation>Ralentizado al {percent}: {reason}</translation>
    </message>
    <message>
        <source>This computer cannot train yet</source>
        <translation>Este ordenador aún no puede entrenar</translation>
    </message>
    <message>
        <source>Waiting: the download of the packages for training is paused</source>
        <translation>En espera: la descarga de los paquetes para el entrenamiento está en pausa</translation>
    </message>
    <message>
        <source>Waiting: the packages for training are being installed</source>
        <translation>En espera: se están instalando los paquetes para el entrenamiento</translation>
    </message>
    <message>
        <source>Waiting: the trainer is being restarted</source>
        <translation>En espera: el entrenamiento se está reiniciando</translation>
    </message>
    <message>
        <source>Waiting: asking the run&apos;s coordinator for admission</source>
        <translation>En espera: se está pidiendo acceso al coordinador del proyecto</translation>
    </message>
    <message>
        <source>Waiting: downloading the earlier checkpoint from which the run continues</source>
        <translation>En espera: se está descargando el punto de control anterior desde el que continúa el proyecto</translation>
    </message>
    <message>
        <source>Waiting: no other computer has sent the state from which the run continues</source>
        <translation>En espera: ningún otro ordenador ha enviado aún el estado desde el que continúa el proyecto</translation>
    </message>
    <message>
        <source>Waiting: other computers are ahead, and none of them can send its state to this one</source>
        <translation>En espera: otros ordenadores están más avanzados, y ninguno de ellos puede enviar su estado a este</translation>
    </message>
    <message>
        <source>Waiting: no computer of this run accepts connections</source>
        <translation>En espera: ningún ordenador de este proyecto acepta conexiones</translation>
    </message>
    <message>
        <source>Waiting: the other computers of this run cannot be reached</source>
        <translation>En espera: no se puede llegar a los demás ordenadores de este proyecto</translation>
    </message>
    <message>
        <source>Waiting: most computers at this epoch do not answer, so it cannot be agreed on</source>
        <translation>En espera: la mayoría de los equipos de esta época no responden, así que no hay acuerdo sobre ella</translation>
    </message>
    <message>
        <source>Starting to train</source>
        <translation>Empezando a entrenar</translation>
    </message>
    <message>
        <source>Finishing this epoch, then pausing</source>
        <translation>Terminando esta época; después, pausa</translation>
    </message>
    <message>
        <source>Something needs your attention</source>
        <translation>Algo requiere tu atención</translation>
    </message>
    <message>
        <source>Leaving the swarm</source>
        <translation>Saliendo del enjambre</translation>
    </message>
    <message>
        <source>This run is complete</source>
        <translation>Este proyecto ha terminado</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Apagado</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Iniciando</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Entrenando</translation>
    </message>
    <message>
        <source>Slowed down</source>
        <translation>Ralentizado</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>En pausa</translation>
    </message>
    <message>
        <source>Finishing</source>
        <translation>Terminando</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>En espera</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>Requiere atención</translation>
    </message>
    <message>
        <source>Leaving</source>
        <translation>Saliendo</translation>
    </message>
    <message>
        <source>Complete</source>
        <translation>Terminado</translation>
    </message>
</context>
<context>
    <name>AddComputerDialog</name>
    <message>
        <source>Add a computer</source>
        <translation>Añadir un ordenador</translation>
    </message>
    <message>
        <source>On the other computer, open My computers and choose “Let another computer control this one…”. It shows its address and a code.</source>
        <translation>En el otro ordenador, abre «Mis ordenadores» y elige «Permitir que otro ordenador controle este…». Mostrará su dirección y un código.</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Dirección</translation>
    </message>
    <message>
        <source>192.168.1.7:47320</source>
        <translation>192.168.1.7:47320</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Código</translation>
    </message>
    <message>
        <source>ABCD-2345</source>
        <translation>ABCD-2345</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Cancelar</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Añadir</translation>
    </message>
    <message>
        <source>Pairing…</source>
        <translation>Emparejando…</translation>
    </message>
</context>
<context>
    <name>AlbumCard</name>
    <message>
        <source>Use this prompt again</source>
        <translation>Volver a usar este texto</translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln more picture(s)</source>
        <translation>
            <numerusform>Mostrar %Ln imagen más</numerusform>
            <numerusform>Mostrar %Ln imágenes más</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Albums</name>
    <message>
        <source>best {kept} of {drawn}</source>
        <extracomment>Of the pictures that were drawn, so many were kept.</extracomment>
        <translation>las {kept} mejores de {drawn}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln picture(s)</source>
        <translation>
            <numerusform>%Ln imagen</numerusform>
            <numerusform>%Ln imágenes</numerusform>
        </translation>
    </message>
    <message>
        <source>All pictures were kept because they could not be ranked. {reason}</source>
        <extracomment>{reason} is a whole English sentence.</extracomment>
        <translation>Se conservan todas las imágenes porque no se han podido puntuar. {reason}</translation>
    </message>
    <message>
        <source>the model that comes with Idlebrush, epoch {epoch} of {run}</source>
        <translation>el modelo que viene con Idlebrush, época {epoch} de {run}</translation>
    </message>
    <message>
        <source>epoch {epoch} of {run}</source>
        <extracomment>{run} is the title of a run.</extracomment>
        <translation>época {epoch} de {run}</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modelo</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Semilla</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Número</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Puntuación</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatura</translation>
    </message>
    <message>
        <source>Most likely codes</source>
        <translation>Códigos más probables</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>Guía</translation>
    </message>
    <message>
        <source>{number} of {total}</source>
        <extracomment>Such as &quot;3 of 16&quot;.</extracomment>
        <translation>{number} de {total}</translation>
    </message>
    <message>
        <source>{prompt}, picture {number} of {total}</source>
        <translation>{prompt}, imagen {number} de {total}</translation>
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
        <translation>{days}&#xa0;d</translation>
    </message>
    <message>
        <source>{days} d {hours} h</source>
        <translation>{days}&#xa0;d {hours}&#xa0;h</translation>
    </message>
</context>
<context>
    <name>AppCard</name>
    <message>
        <source>This app</source>
        <translation>Esta aplicación</translation>
    </message>
    <message>
        <source>Same as the system</source>
        <translation>El del sistema</translation>
    </message>
    <message>
        <source>A new language takes effect the next time Idlebrush starts.</source>
        <translation>El nuevo idioma se usará la próxima vez que abras Idlebrush.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Idioma</translation>
    </message>
    <message>
        <source>System</source>
        <translation>Sistema</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Claro</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Oscuro</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Apariencia</translation>
    </message>
    <message>
        <source>Light, dark, or the same as the system.</source>
        <translation>Clara, oscura o la del sistema.</translation>
    </message>
    <message>
        <source>Idlebrush notifies you when you are signed out, when something needs your attention, when you reach your best rank, and when a run is complete.</source>
        <translation>Idlebrush te avisa cuando se cierra tu sesión, algo requiere tu atención, mejoras tu puesto o termina un proyecto.</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Notificaciones</translation>
    </message>
    <message>
        <source>Stay in the tray</source>
        <translation>Seguir en la bandeja</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Salir</translation>
    </message>
    <message>
        <source>This applies if the desktop has a system tray.</source>
        <translation>Se aplica si el escritorio tiene bandeja del sistema.</translation>
    </message>
    <message>
        <source>When you close the window</source>
        <translation>Al cerrar la ventana</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>Preguntar</translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation>Seguir entrenando</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Detener</translation>
    </message>
    <message>
        <source>Training can continue in the background.</source>
        <translation>El entrenamiento puede continuar en segundo plano.</translation>
    </message>
    <message>
        <source>When you quit the app</source>
        <translation>Al salir de la aplicación</translation>
    </message>
</context>
<context>
    <name>BadgeWidget</name>
    <message>
        <source>Reached on {day}</source>
        <translation>Conseguida el {day}</translation>
    </message>
</context>
<context>
    <name>Badges</name>
    <message numerus="yes">
        <source>Trained on %Ln sample(s)</source>
        <translation>
            <numerusform>Entrenar con %Ln muestra</numerusform>
            <numerusform>Entrenar con %Ln muestras</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Contributed %Ln hour(s) of computing time</source>
        <translation>
            <numerusform>Aportar %Ln hora de tiempo de cálculo</numerusform>
            <numerusform>Aportar %Ln horas de tiempo de cálculo</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Contributed on %Ln day(s) in a row</source>
        <translation>
            <numerusform>Contribuir %Ln día seguido</numerusform>
            <numerusform>Contribuir %Ln días seguidos</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Took part in %Ln epoch(s) of the swarm</source>
        <translation>
            <numerusform>Participar en %Ln época del enjambre</numerusform>
            <numerusform>Participar en %Ln épocas del enjambre</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Trained through %Ln night(s)</source>
        <translation>
            <numerusform>Entrenar durante %Ln noche</numerusform>
            <numerusform>Entrenar durante %Ln noches</numerusform>
        </translation>
    </message>
    <message>
        <source>One hundred</source>
        <translation>Cien</translation>
    </message>
    <message>
        <source>One thousand</source>
        <translation>Mil</translation>
    </message>
    <message>
        <source>Ten thousand</source>
        <translation>Diez mil</translation>
    </message>
    <message>
        <source>A hundred thousand</source>
        <translation>Cien mil</translation>
    </message>
    <message>
        <source>One million</source>
        <translation>Un millón</translation>
    </message>
    <message>
        <source>Ten hours</source>
        <translation>Diez horas</translation>
    </message>
    <message>
        <source>Around the clock</source>
        <translation>Día y noche</translation>
    </message>
    <message>
        <source>A hundred hours</source>
        <translation>Cien horas</translation>
    </message>
    <message>
        <source>A thousand hours</source>
        <translation>Mil horas</translation>
    </message>
    <message>
        <source>Three days in a row</source>
        <translation>Tres días seguidos</translation>
    </message>
    <message>
        <source>A week in a row</source>
        <translation>Una semana seguida</translation>
    </message>
    <message>
        <source>A month in a row</source>
        <translation>Un mes seguido</translation>
    </message>
    <message>
        <source>A hundred days in a row</source>
        <translation>Cien días seguidos</translation>
    </message>
    <message>
        <source>First epoch</source>
        <translation>Primera época</translation>
    </message>
    <message>
        <source>A hundred epochs</source>
        <translation>Cien épocas</translation>
    </message>
    <message>
        <source>A thousand epochs</source>
        <translation>Mil épocas</translation>
    </message>
    <message>
        <source>Night painter</source>
        <translation>Pintura nocturna</translation>
    </message>
    <message>
        <source>Thirty nights</source>
        <translation>Treinta noches</translation>
    </message>
</context>
<context>
    <name>BadgesCard</name>
    <message>
        <source>Badges</source>
        <translation>Insignias</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Dismiss</source>
        <translation>Descartar</translation>
    </message>
</context>
<context>
    <name>BarChart</name>
    <message numerus="yes">
        <source>%Ln value(s) from {start} to {end}. The highest is {high} at {best}. Use the arrow keys to read single values.</source>
        <translation>
            <numerusform>%Ln valor, de {start} a {end}. El más alto es {high}, en {best}. Usa las flechas del teclado para leer cada valor.</numerusform>
            <numerusform>%Ln valores, de {start} a {end}. El más alto es {high}, en {best}. Usa las flechas del teclado para leer cada valor.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BoardModel</name>
    <message>
        <source>Rank</source>
        <translation>Puesto</translation>
    </message>
    <message>
        <source>Volunteer</source>
        <translation>Participante</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Muestras</translation>
    </message>
    <message>
        <source>Computing time</source>
        <translation>Tiempo de cálculo</translation>
    </message>
</context>
<context>
    <name>BoardTable</name>
    <message>
        <source>Leaderboard</source>
        <translation>Clasificación</translation>
    </message>
</context>
<context>
    <name>CalendarCard</name>
    <message>
        <source>The last 12 months</source>
        <translation>Los últimos 12 meses</translation>
    </message>
    <message>
        <source>Measure of the days</source>
        <translation>Magnitud de los días</translation>
    </message>
</context>
<context>
    <name>CalendarGrid</name>
    <message>
        <source>The last 12 months</source>
        <translation>Los últimos 12 meses</translation>
    </message>
    <message>
        <source>Use the arrow keys to read single days.</source>
        <translation>Usa las flechas del teclado para leer cada día.</translation>
    </message>
</context>
<context>
    <name>CandidatePanel</name>
    <message>
        <source>Speed test</source>
        <translation>Prueba de velocidad</translation>
    </message>
    <message>
        <source>Measure the speed</source>
        <translation>Medir la velocidad</translation>
    </message>
    <message>
        <source>Stop measuring</source>
        <translation>Detener la medición</translation>
    </message>
    <message>
        <source>Learns to draw: {prompts}</source>
        <extracomment>{prompts} is a list such as &quot;red heart · pizza · rocket&quot;.</extracomment>
        <translation>Aprende a dibujar: {prompts}</translation>
    </message>
    <message>
        <source>What is shown here comes from the run itself. If you do not expect that, ask the keeper of the list.</source>
        <translation>Lo que se muestra aquí viene del propio proyecto. Si no es lo que esperas, pregunta al responsable de la lista.</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Medir otra vez</translation>
    </message>
</context>
<context>
    <name>ChartCard</name>
    <message>
        <source>Over time</source>
        <translation>Evolución</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Magnitud</translation>
    </message>
</context>
<context>
    <name>CodePanel</name>
    <message>
        <source>Enter this code on that page:</source>
        <translation>Introduce este código en esa página:</translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation>Abrir en el navegador</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Code {code}</source>
        <extracomment>{code} is to be read out letter by letter.</extracomment>
        <translation>Código {code}</translation>
    </message>
    <message>
        <source>Open {address}, here or on your phone.</source>
        <translation>Abre {address}, aquí o en tu teléfono.</translation>
    </message>
    <message>
        <source>Continue in your browser at {address}.</source>
        <translation>Continúa en tu navegador, en {address}.</translation>
    </message>
    <message>
        <source>Copy the code</source>
        <translation>Copiar el código</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>Copiar la dirección</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Copiado</translation>
    </message>
</context>
<context>
    <name>ComputerCard</name>
    <message>
        <source>Pause</source>
        <translation>Pausar</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>Pausar un rato</translation>
    </message>
    <message>
        <source>Train always</source>
        <translation>Entrenar siempre</translation>
    </message>
    <message>
        <source>According to its preferences</source>
        <translation>Según sus preferencias</translation>
    </message>
    <message>
        <source>Never train</source>
        <translation>No entrenar nunca</translation>
    </message>
    <message>
        <source>Remove this computer…</source>
        <translation>Eliminar este ordenador…</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Reanudar</translation>
    </message>
    <message>
        <source>{action}: {name}</source>
        <extracomment>{action} is the text of a button, {name} the name of a computer.</extracomment>
        <translation>{action}: {name}</translation>
    </message>
    <message>
        <source>When to train</source>
        <translation>Cuándo entrenar</translation>
    </message>
</context>
<context>
    <name>Computers</name>
    <message>
        <source>This computer</source>
        <translation>Este ordenador</translation>
    </message>
    <message>
        <source>{name} (this computer)</source>
        <extracomment>{name} is the name of this computer.</extracomment>
        <translation>{name} (este ordenador)</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background</source>
        <translation>Idlebrush no se está ejecutando en segundo plano</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Conectando…</translation>
    </message>
    <message>
        <source>Not reached since {moment}</source>
        <translation>Sin contacto. Última vez: {moment}</translation>
    </message>
    <message>
        <source>Last seen {moment}: {state}</source>
        <extracomment>{state} is what the computer did then, such as &quot;Training&quot;.</extracomment>
        <translation>Último contacto ({moment}): {state}</translation>
    </message>
    <message>
        <source>Epoch {epoch}</source>
        <translation>Época {epoch}</translation>
    </message>
    <message>
        <source>Trained for {percent} of today</source>
        <translation>Ha entrenado el {percent} del día de hoy</translation>
    </message>
    <message>
        <source>{name}, connected from {address}</source>
        <extracomment>{name} is a computer, {address} its address in the network.</extracomment>
        <translation>{name}, conectado desde {address}</translation>
    </message>
    <message>
        <source>Off: no other computer can see or control this one. Turning it on opens a port for paired computers alone.</source>
        <translation>Desactivado: ningún otro ordenador puede ver ni controlar este. Al activarlo se abre un puerto solo para los ordenadores emparejados.</translation>
    </message>
    <message>
        <source>On, but no other computer is paired yet.</source>
        <translation>Activado, pero aún no hay ningún otro ordenador emparejado.</translation>
    </message>
    <message>
        <source>These computers can see what this one does, pause and resume it, and change its preferences:</source>
        <translation>Estos ordenadores pueden ver lo que hace este, pausarlo y reanudarlo, y cambiar sus preferencias:</translation>
    </message>
    <message>
        <source>Valid for {duration}</source>
        <translation>Válido durante {duration}</translation>
    </message>
    <message>
        <source>{name} can control this computer from now on.</source>
        <translation>{name} puede controlar este ordenador a partir de ahora.</translation>
    </message>
    <message>
        <source>The code was wrong too often. No computer was paired.</source>
        <translation>El código ha sido incorrecto demasiadas veces. No se ha emparejado ningún ordenador.</translation>
    </message>
    <message>
        <source>The code has expired. No computer was paired.</source>
        <translation>El código ha caducado. No se ha emparejado ningún ordenador.</translation>
    </message>
    <message>
        <source>The code was withdrawn.</source>
        <translation>El código se ha retirado.</translation>
    </message>
</context>
<context>
    <name>ComputersPage</name>
    <message>
        <source>Add a computer…</source>
        <translation>Añadir un ordenador…</translation>
    </message>
    <message>
        <source>{name} can be controlled from this computer.</source>
        <extracomment>{name} is the name of a computer.</extracomment>
        <translation>{name} se puede controlar desde este ordenador.</translation>
    </message>
    <message>
        <source>Remove {name}?</source>
        <extracomment>{name} is the name of a computer.</extracomment>
        <translation>¿Eliminar {name}?</translation>
    </message>
    <message>
        <source>This computer can no longer control it. It goes on as it does now.</source>
        <translation>Este ordenador ya no podrá controlarlo. El otro sigue como hasta ahora.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Eliminar</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Conservar</translation>
    </message>
    <message>
        <source>It can no longer control this computer. If it is connected, that ends at once.</source>
        <translation>Ya no podrá controlar este ordenador. Si está conectado, la conexión se corta de inmediato.</translation>
    </message>
</context>
<context>
    <name>ConsentScreen</name>
    <message>
        <source>I agree that this computer trains this run as described above.</source>
        <translation>Acepto que este ordenador entrene este proyecto según lo indicado arriba.</translation>
    </message>
    <message>
        <source>Agree</source>
        <translation>Aceptar</translation>
    </message>
    <message>
        <source>Open Idlebrush</source>
        <translation>Abrir Idlebrush</translation>
    </message>
    <message>
        <source>Start training</source>
        <translation>Empezar a entrenar</translation>
    </message>
    <message>
        <source>Check the box if you agree.</source>
        <translation>Marca la casilla si estás de acuerdo.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>Downloading the run&apos;s files</source>
        <translation>Descargando los archivos del proyecto</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Siguiente</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Do you agree?</source>
        <translation>¿Estás de acuerdo?</translation>
    </message>
    <message>
        <source>This is what Idlebrush does if you agree.</source>
        <translation>Esto es lo que hará Idlebrush si aceptas.</translation>
    </message>
    <message>
        <source>I have compared the key {key} with the one that the organiser published.</source>
        <extracomment>{key} is a row of letters and digits.</extracomment>
        <translation>He comparado la clave {key} con la que ha publicado el organizador.</translation>
    </message>
    <message>
        <source>This computer trains when you are away</source>
        <translation>Este ordenador entrenará cuando no estés</translation>
    </message>
    <message>
        <source>You have joined the run</source>
        <translation>Te has unido al proyecto</translation>
    </message>
    <message>
        <source>Before this computer can train, one more download is needed.</source>
        <translation>Antes de que este ordenador pueda entrenar, hace falta una descarga más.</translation>
    </message>
    <message>
        <source>Setup is complete. Idlebrush stays in the system tray. Open it to watch the pictures improve.</source>
        <translation>La configuración ha terminado. Idlebrush se queda en la bandeja del sistema. Ábrelo para ver cómo mejoran las imágenes.</translation>
    </message>
</context>
<context>
    <name>ContributionPage</name>
    <message>
        <source>By day</source>
        <translation>Por día</translation>
    </message>
    <message>
        <source>By week</source>
        <translation>Por semana</translation>
    </message>
    <message>
        <source>All time</source>
        <translation>Desde siempre</translation>
    </message>
    <message>
        <source>Period</source>
        <translation>Período</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Este proyecto</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>Todos los proyectos</translation>
    </message>
    <message>
        <source>Runs shown</source>
        <translation>Proyectos mostrados</translation>
    </message>
    <message>
        <source>Your contribution counts from the first epoch in which this computer takes part.</source>
        <translation>Tu contribución cuenta a partir de la primera época en la que participe este ordenador.</translation>
    </message>
    <message>
        <source>No contribution yet</source>
        <translation>Aún no has aportado nada</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
</context>
<context>
    <name>ContributionView</name>
    <message numerus="yes">
        <source>%Ln day(s)</source>
        <translation>
            <numerusform>%Ln día</numerusform>
            <numerusform>%Ln días</numerusform>
        </translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Muestras</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>Horas</translation>
    </message>
    <message>
        <source>Watt-hours</source>
        <translation>Vatios hora</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>Nada</translation>
    </message>
    <message>
        <source>{samples}, {time}</source>
        <extracomment>Samples and computing time of one day, such as &quot;1,204 samples, 2 h 15 min&quot;.</extracomment>
        <translation>{samples}, {time}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s) with a contribution.</source>
        <translation>
            <numerusform>%Ln día con contribución.</numerusform>
            <numerusform>%Ln días con contribución.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sample(s)</source>
        <translation>
            <numerusform>%Ln muestra</numerusform>
            <numerusform>%Ln muestras</numerusform>
        </translation>
    </message>
    <message>
        <source>Week of {day}</source>
        <translation>Semana del {day}</translation>
    </message>
    <message>
        <source>MMM yyyy</source>
        <extracomment>A month with its year, such as &quot;Mar 2026&quot;: MMM, short name of the month; yyyy, year.</extracomment>
        <translation>MMM yyyy</translation>
    </message>
    <message>
        <source>In the last 30 days</source>
        <translation>En los últimos 30 días</translation>
    </message>
    <message>
        <source>In the last 26 weeks</source>
        <translation>En las últimas 26 semanas</translation>
    </message>
    <message>
        <source>Since you started</source>
        <translation>Desde que empezaste</translation>
    </message>
    <message>
        <source>Computing time</source>
        <translation>Tiempo de cálculo</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Sin datos</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energía</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Épocas</translation>
    </message>
    <message>
        <source>Sent</source>
        <translation>Enviado</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>Recibido</translation>
    </message>
    <message>
        <source>Cost of the energy</source>
        <translation>Coste de la energía</translation>
    </message>
    <message>
        <source>CO2 of the energy</source>
        <translation>CO2 de la energía</translation>
    </message>
    <message>
        <source>Contribute on two consecutive days to start a streak.</source>
        <translation>Contribuye dos días seguidos para empezar una racha.</translation>
    </message>
    <message numerus="yes">
        <source>Your longest streak: %Ln day(s)</source>
        <translation>
            <numerusform>Tu racha más larga: %Ln día</numerusform>
            <numerusform>Tu racha más larga: %Ln días</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ControlCard</name>
    <message>
        <source>Control of this computer</source>
        <translation>Control de este ordenador</translation>
    </message>
    <message>
        <source>Let paired computers control this one</source>
        <translation>Permitir que los ordenadores emparejados controlen este</translation>
    </message>
    <message>
        <source>Let another computer control this one…</source>
        <translation>Permitir que otro ordenador controle este…</translation>
    </message>
    <message>
        <source>Key of this computer: {fingerprint}</source>
        <extracomment>{fingerprint} is such as &quot;ftze-jazc-ug7v-7g6c-4lbn-zhtv&quot;.</extracomment>
        <translation>Clave de este ordenador: {fingerprint}</translation>
    </message>
    <message>
        <source>Remove {name}…</source>
        <extracomment>{name} is the name of a computer.</extracomment>
        <translation>Eliminar {name}…</translation>
    </message>
</context>
<context>
    <name>EmbeddedPanel</name>
    <message>
        <source>Try it with a swarm</source>
        <translation>Probarlo con un enjambre</translation>
    </message>
    <message>
        <source>This run learns in minutes rather than months. It learns things, colours, numbers and places, and to combine them in pictures that it never saw, such as a fox on a green square. No other computer takes part, and no data leaves this computer.</source>
        <translation>Este proyecto aprende en minutos, no en meses. Aprende cosas, colores, números y lugares, y a combinarlos en imágenes que nunca ha visto, como un zorro sobre un cuadrado verde. No participa ningún otro ordenador y ningún dato sale de este.</translation>
    </message>
    <message>
        <source>On Windows, a swarm on this computer is not possible yet.</source>
        <translation>En Windows todavía no es posible un enjambre en este ordenador.</translation>
    </message>
    <message>
        <source>A swarm on this computer is possible once the packages for training are installed.</source>
        <translation>Un enjambre en este ordenador es posible cuando estén instalados los paquetes para entrenar.</translation>
    </message>
    <message>
        <source>A swarm on this computer needs a second processor core.</source>
        <translation>Un enjambre en este ordenador necesita un segundo núcleo de procesador.</translation>
    </message>
    <message>
        <source>A swarm on this computer needs more RAM than is free now.</source>
        <translation>Un enjambre en este ordenador necesita más RAM de la que está libre ahora.</translation>
    </message>
    <message>
        <source>This computer then runs what an organiser runs: a coordinator with a website and a leaderboard, and a second computer&apos;s trainer. All of it stays here, and you can remove it at any time.</source>
        <translation>Este ordenador ejecuta entonces lo que ejecuta un organizador: un coordinador con un sitio web y una clasificación, y el entrenador de un segundo ordenador. Todo se queda aquí, y puede eliminarlo en cualquier momento.</translation>
    </message>
</context>
<context>
    <name>EpochCard</name>
    <message>
        <source>Epoch</source>
        <translation>Época</translation>
    </message>
    <message>
        <source>The swarm&apos;s progress appears here once training has started.</source>
        <translation>El progreso del enjambre aparecerá aquí cuando empiece el entrenamiento.</translation>
    </message>
</context>
<context>
    <name>EpochRing</name>
    <message>
        <source>Progress of the epoch</source>
        <translation>Progreso de la época</translation>
    </message>
</context>
<context>
    <name>ExtentControl</name>
    <message>
        <source>Simple</source>
        <translation>Básicas</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Todas</translation>
    </message>
    <message>
        <source>Which preferences to show</source>
        <translation>Qué preferencias mostrar</translation>
    </message>
</context>
<context>
    <name>FilePanel</name>
    <message>
        <source>Choose a file…</source>
        <translation>Elegir un archivo…</translation>
    </message>
    <message>
        <source>Or drop it anywhere on this screen.</source>
        <translation>O suéltalo en cualquier lugar de esta pantalla.</translation>
    </message>
    <message>
        <source>Choose a run&apos;s description</source>
        <translation>Elegir la descripción de un proyecto</translation>
    </message>
    <message>
        <source>Descriptions of runs (*.idlebrush *.toml)</source>
        <translation>Descripciones de proyectos (*.idlebrush *.toml)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Todos los archivos (*)</translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message>
        <source>Paste a token first.</source>
        <translation>Primero pega un token.</translation>
    </message>
    <message>
        <source>This text is too long for a token. Copy only the token.</source>
        <translation>Este texto es demasiado largo para ser un token. Copia solo el token.</translation>
    </message>
    <message>
        <source>This text contains characters that a token cannot contain. Copy only the token.</source>
        <translation>Este texto contiene caracteres que no aparecen en los tokens. Copia solo el token.</translation>
    </message>
    <message>
        <source>Your sign-in is stored in this computer&apos;s keyring.</source>
        <translation>Tu sesión se guarda en el llavero de este ordenador.</translation>
    </message>
    <message>
        <source>Your sign-in is stored until Idlebrush quits.</source>
        <translation>Tu sesión se guarda hasta que se cierre Idlebrush.</translation>
    </message>
    <message>
        <source>Your sign-in is stored in a file that only you can read.</source>
        <translation>Tu sesión se guarda en un archivo que solo tú puedes leer.</translation>
    </message>
    <message>
        <source>This sign-in has expired.</source>
        <translation>Este inicio de sesión ha caducado.</translation>
    </message>
    <message>
        <source>Valid for another {time}.</source>
        <extracomment>{time} is such as &quot;9 min 30 s&quot;.</extracomment>
        <translation>Válido durante {time} más.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Proyecto</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Este ordenador</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Cuándo</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Descarga</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>Tráfico</translation>
    </message>
    <message>
        <source>Others see</source>
        <translation>Otros ven</translation>
    </message>
    <message>
        <source>At most about {size} in each direction for the updates that the run has left ({updates}).</source>
        <translation>Como máximo, unos {size} en cada sentido por las actualizaciones que le quedan al proyecto ({updates}).</translation>
    </message>
    <message>
        <source>About {size} in each direction for the updates that the run has left ({updates}).</source>
        <translation>Unos {size} en cada sentido por las actualizaciones que le quedan al proyecto ({updates}).</translation>
    </message>
    <message>
        <source>At most about {size} in each direction per day of uninterrupted training.</source>
        <translation>Como máximo, unos {size} en cada sentido por día de entrenamiento sin pausas.</translation>
    </message>
    <message>
        <source>About {size} in each direction per day of uninterrupted training.</source>
        <translation>Unos {size} en cada sentido por día de entrenamiento sin pausas.</translation>
    </message>
    <message>
        <source>This is for {computers} computers and an update every {pace}: the newest pace of the run, as its website reports it, with this computer added.</source>
        <extracomment>{pace} is a duration such as &quot;15 s&quot;; there are two computers at least.</extracomment>
        <translation>Es con {computers} ordenadores y una actualización cada {pace}: el ritmo más reciente del proyecto según su sitio web, con este ordenador añadido.</translation>
    </message>
    <message>
        <source>This is for {computers} computers and an update every {pace}. The run&apos;s rules allow no faster pace.</source>
        <translation>Es con {computers} ordenadores y una actualización cada {pace}. Las reglas del proyecto no permiten un ritmo más rápido.</translation>
    </message>
    <message>
        <source>This is for {computers} computers like this one, with an update every {pace}. The run&apos;s real pace is not known: it is more if the run is faster, and less if it is slower.</source>
        <translation>Es con {computers} ordenadores como este y una actualización cada {pace}. No se conoce el ritmo real del proyecto: si es más rápido, será más; si es más lento, menos.</translation>
    </message>
    <message>
        <source>This is for {computers} computers and an update every {pace}. The run&apos;s real pace is not known: it is more if the run is faster, and less if it is slower.</source>
        <translation>Es con {computers} ordenadores y una actualización cada {pace}. No se conoce el ritmo real del proyecto: si es más rápido, será más; si es más lento, menos.</translation>
    </message>
    <message>
        <source>You join this run in addition to {titles}. The runs take turns.</source>
        <extracomment>{titles} are the names of runs, with commas between them.</extracomment>
        <translation>Te unes a este proyecto además de a {titles}. Los proyectos se turnan.</translation>
    </message>
    <message>
        <source>In addition</source>
        <translation>Además</translation>
    </message>
    <message>
        <source>You can pause or stop training at any time from the tray icon.</source>
        <translation>Puedes pausar o detener el entrenamiento en cualquier momento desde el icono de la bandeja.</translation>
    </message>
    <message>
        <source>To stop</source>
        <translation>Cómo parar</translation>
    </message>
    <message>
        <source>Preparing to download the run&apos;s files…</source>
        <translation>Preparando la descarga de los archivos del proyecto…</translation>
    </message>
    <message>
        <source>Downloading the run&apos;s files: {share}, {size} left.</source>
        <extracomment>{share} is such as &quot;42%&quot;, {size} such as &quot;1.2 GB&quot;.</extracomment>
        <translation>Descargando los archivos del proyecto: {share}, faltan {size}.</translation>
    </message>
    <message>
        <source>Leave the setup for now?</source>
        <translation>¿Salir de la configuración por ahora?</translation>
    </message>
    <message>
        <source>Training starts only after you join a run. You can join one later from the window.</source>
        <translation>El entrenamiento solo empieza cuando te unes a un proyecto. Puedes hacerlo más tarde, desde la ventana.</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Salir</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Seguir aquí</translation>
    </message>
    <message>
        <source>Organiser</source>
        <translation>Organizador</translation>
    </message>
    <message>
        <source>its organiser</source>
        <translation>su organizador</translation>
    </message>
    <message>
        <source>its title</source>
        <translation>su título</translation>
    </message>
    <message>
        <source>who may join</source>
        <translation>quién puede unirse</translation>
    </message>
    <message>
        <source>the size of its model</source>
        <translation>el tamaño de su modelo</translation>
    </message>
    <message>
        <source>its traffic</source>
        <translation>su tráfico</translation>
    </message>
    <message>
        <source>the memory that it needs</source>
        <translation>la memoria que necesita</translation>
    </message>
    <message>
        <source>its download</source>
        <translation>su descarga</translation>
    </message>
    <message>
        <source>The run says otherwise than the list about {subjects}.</source>
        <extracomment>{subjects} is a list such as &quot;its title, who may join and its traffic&quot;.</extracomment>
        <translation>El proyecto no dice lo mismo que la lista sobre {subjects}.</translation>
    </message>
    <message>
        <source>This run comes with Idlebrush and trains on this computer only.</source>
        <translation>Este proyecto viene con Idlebrush y se entrena solo en este ordenador.</translation>
    </message>
    <message>
        <source>This run has no website. Its key is {key}.</source>
        <translation>Este proyecto no tiene sitio web. Su clave es {key}.</translation>
    </message>
    <message>
        <source>{where}, with the key {key}</source>
        <extracomment>{where} is a website, {key} a row of letters and digits.</extracomment>
        <translation>{where}, con la clave {key}</translation>
    </message>
    <message>
        <source>Nothing. All files of the run are already on this computer.</source>
        <translation>Nada. Todos los archivos del proyecto ya están en este ordenador.</translation>
    </message>
    <message>
        <source>{size}, once, before training starts.</source>
        <translation>{size}, una sola vez, antes de empezar a entrenar.</translation>
    </message>
    <message>
        <source>None. No other computer takes part.</source>
        <translation>Ninguno. No participa ningún otro ordenador.</translation>
    </message>
    <message>
        <source>None. The run has made all of its updates.</source>
        <translation>Ninguno. El proyecto ya ha hecho todas sus actualizaciones.</translation>
    </message>
    <message>
        <source>If other computers can connect to this one, it can be up to {size}, and the model&apos;s state for each new computer that fetches it from here.</source>
        <translation>Si otros ordenadores pueden conectarse a este, pueden ser hasta {size}, más el estado del modelo para cada ordenador nuevo que lo obtenga de aquí.</translation>
    </message>
    <message>
        <source>You can set limits in the preferences.</source>
        <translation>Puedes poner límites en las preferencias.</translation>
    </message>
    <message>
        <source>At first, this computer fetches the model&apos;s state from others: {size}.</source>
        <translation>Al principio, este ordenador obtiene de otros el estado del modelo: {size}.</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Conexión</translation>
    </message>
    <message>
        <source>No address of the run answers. You can join, but this computer trains only once one of them answers. Check the Internet connection. If it works, ask the organiser whether the run continues.</source>
        <translation>Ninguna dirección del proyecto responde. Puedes unirte, pero este ordenador no entrenará hasta que responda alguna. Comprueba la conexión a Internet. Si funciona, pregunta al organizador si el proyecto continúa.</translation>
    </message>
    <message>
        <source>This computer reaches the run over {protocols}. Whether other computers can connect to this one is found out when training starts.</source>
        <extracomment>{protocols} is &quot;IPv4&quot;, &quot;IPv6&quot;, or both.</extracomment>
        <translation>Este ordenador llega al proyecto por {protocols}. Si otros ordenadores pueden conectarse a este se sabrá cuando empiece el entrenamiento.</translation>
    </message>
    <message>
        <source>IPv4 and IPv6</source>
        <translation>IPv4 e IPv6</translation>
    </message>
    <message>
        <source>Nothing. None of your files is read or sent.</source>
        <translation>Nada. No se lee ni se envía ninguno de tus archivos.</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address, its training speed, and your user name, which you can hide on the run&apos;s pages. None of your files is read or sent.</source>
        <translation>La dirección de Internet de este ordenador, su velocidad de entrenamiento y tu nombre de usuario, que puedes ocultar en las páginas del proyecto. No se lee ni se envía ninguno de tus archivos.</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address and its training speed, under a random name. None of your files is read or sent.</source>
        <translation>La dirección de Internet de este ordenador y su velocidad de entrenamiento, con un nombre al azar. No se lee ni se envía ninguno de tus archivos.</translation>
    </message>
    <message>
        <source>Loading the run for the speed test. This can take a while on a busy computer…</source>
        <translation>Cargando el proyecto para la prueba de velocidad. En un ordenador ocupado puede tardar un poco…</translation>
    </message>
    <message>
        <source>Measuring the training speed of this computer…</source>
        <translation>Midiendo la velocidad de entrenamiento de este ordenador…</translation>
    </message>
    <message>
        <source>Measure how fast this computer trains. The test takes a minute.</source>
        <translation>Mide lo rápido que entrena este ordenador. La prueba dura un minuto.</translation>
    </message>
    <message>
        <source>About {rate} samples per hour. The model is updated every {duration} with the samples of all computers together.</source>
        <extracomment>{rate} is a number, {duration} is such as &quot;4 min&quot;; samples are pictures with their descriptions.</extracomment>
        <translation>Unas {rate} muestras por hora. El modelo se actualiza cada {duration} con las muestras de todos los ordenadores.</translation>
    </message>
    <message>
        <source>About {rate} samples per hour. Each update of the model needs {target} samples from all computers together.</source>
        <extracomment>{rate} is a number; the model learns from samples: pictures with their descriptions.</extracomment>
        <translation>Unas {rate} muestras por hora. Cada actualización del modelo necesita {target} muestras entre todos los ordenadores.</translation>
    </message>
    <message>
        <source>This run admits members of {organisation} on the Hugging Face Hub.</source>
        <translation>Este proyecto admite a miembros de {organisation} en Hugging Face Hub.</translation>
    </message>
    <message>
        <source>This run admits people on the organiser&apos;s list.</source>
        <translation>Este proyecto admite a quienes figuran en la lista de su organizador.</translation>
    </message>
    <message>
        <source>This run admits people with an invitation from the organiser.</source>
        <translation>Este proyecto admite a quienes tienen una invitación del organizador.</translation>
    </message>
    <message>
        <source>This run admits anyone who signs in with the Hugging Face Hub.</source>
        <translation>Este proyecto admite a cualquiera que inicie sesión con Hugging Face Hub.</translation>
    </message>
    <message>
        <source>You sign in at {hub}. The sign-in proves your identity to {coordinator} only. The organiser learns your user name and gets no access to your account.</source>
        <translation>Inicias sesión en {hub}. El inicio de sesión demuestra tu identidad solo a {coordinator}. El organizador conoce tu nombre de usuario, pero no accede a tu cuenta.</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background.</source>
        <translation>Idlebrush no se está ejecutando en segundo plano.</translation>
    </message>
    <message>
        <source>The sign-in is still in progress.</source>
        <translation>El inicio de sesión aún está en curso.</translation>
    </message>
    <message>
        <source>Choose a run first.</source>
        <translation>Primero elige un proyecto.</translation>
    </message>
    <message>
        <source>Inspecting the run. One moment.</source>
        <translation>Se está consultando el proyecto. Un momento.</translation>
    </message>
    <message>
        <source>Choose a run that you can join.</source>
        <translation>Elige un proyecto al que puedas unirte.</translation>
    </message>
    <message>
        <source>This run is too large for this computer.</source>
        <translation>Este proyecto es demasiado grande para este ordenador.</translation>
    </message>
    <message>
        <source>Sign in to this run first.</source>
        <translation>Primero inicia sesión en este proyecto.</translation>
    </message>
    <message>
        <source>While I am away</source>
        <translation>Cuando no estoy</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Siempre</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nunca</translation>
    </message>
    <message>
        <source>At any hour</source>
        <translation>A cualquier hora</translation>
    </message>
    <message>
        <source>Evenings, nights and weekends</source>
        <translation>Tardes, noches y fines de semana</translation>
    </message>
    <message>
        <source>At night</source>
        <translation>De noche</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>A toda velocidad</translation>
    </message>
    <message>
        <source>Three quarters of the time</source>
        <translation>Tres cuartos del tiempo</translation>
    </message>
    <message>
        <source>Half of the time (cooler and quieter)</source>
        <translation>La mitad del tiempo (más fresco y silencioso)</translation>
    </message>
    <message>
        <source>A quarter of the time (hardly noticeable)</source>
        <translation>Un cuarto del tiempo (casi no se nota)</translation>
    </message>
    <message>
        <source>Custom: {value}</source>
        <extracomment>{value} is what was set elsewhere, such as &quot;mon-fri 18:00-08:00&quot;.</extracomment>
        <translation>Personalizado: {value}</translation>
    </message>
    <message>
        <source>This computer trains whenever your preferences allow it.</source>
        <translation>Este ordenador entrena siempre que tus preferencias lo permiten.</translation>
    </message>
    <message>
        <source>This computer always trains, even while you use it.</source>
        <translation>Este ordenador entrena siempre, también mientras lo usas.</translation>
    </message>
    <message>
        <source>This computer does not train until you allow it.</source>
        <translation>Este ordenador no entrena hasta que lo permitas.</translation>
    </message>
    <message>
        <source>This computer trains after {idle} without input. Hours: {hours}.</source>
        <extracomment>{idle} is such as &quot;3 min&quot;; {hours} is such as &quot;At any hour&quot;, &quot;At night&quot;.</extracomment>
        <translation>Este ordenador entrena cuando pasa {idle} sin uso. Horario: {hours}.</translation>
    </message>
    <message>
        <source>Training pauses only when the computer is hot or low on battery or memory.</source>
        <translation>El entrenamiento solo se pausa cuando el ordenador se calienta o le falta batería o memoria.</translation>
    </message>
    <message>
        <source>This computer also trains on battery.</source>
        <translation>Este ordenador también entrena con batería.</translation>
    </message>
    <message>
        <source>Training pauses on battery, during games and videos, and when the computer is hot.</source>
        <translation>El entrenamiento se pausa con batería, durante juegos y vídeos, y cuando el ordenador se calienta.</translation>
    </message>
    <message>
        <source>Training uses at most {share} of the time.</source>
        <extracomment>{share} is such as &quot;50%&quot;.</extracomment>
        <translation>El entrenamiento usa, como máximo, el {share} del tiempo.</translation>
    </message>
    <message>
        <source>Idlebrush starts when you log in.</source>
        <translation>Idlebrush se abre cuando inicias sesión en el ordenador.</translation>
    </message>
    <message>
        <source>Idlebrush starts when you open it.</source>
        <translation>Idlebrush se pone en marcha cuando lo abres.</translation>
    </message>
    <message>
        <source>Welcome to Idlebrush</source>
        <translation>Te damos la bienvenida a Idlebrush</translation>
    </message>
    <message>
        <source>Packages for training</source>
        <translation>Paquetes para el entrenamiento</translation>
    </message>
    <message>
        <source>Join a run</source>
        <translation>Unirse a un proyecto</translation>
    </message>
</context>
<context>
    <name>Foot</name>
    <message>
        <source>Back</source>
        <translation>Atrás</translation>
    </message>
</context>
<context>
    <name>FoundRuns</name>
    <message>
        <source>This run is over.</source>
        <translation>Este proyecto ha terminado.</translation>
    </message>
    <message>
        <source>The graphics card of this computer can train it.</source>
        <translation>La tarjeta gráfica de este ordenador puede entrenarlo.</translation>
    </message>
    <message>
        <source>The processor of this computer can train it.</source>
        <translation>El procesador de este ordenador puede entrenarlo.</translation>
    </message>
    <message>
        <source>It needs more memory than this computer has free.</source>
        <translation>Necesita más memoria de la que este ordenador tiene libre.</translation>
    </message>
    <message>
        <source>no sign-in needed</source>
        <translation>sin iniciar sesión</translation>
    </message>
    <message>
        <source>for anyone with a Hugging Face account</source>
        <translation>para cualquiera con una cuenta de Hugging Face</translation>
    </message>
    <message>
        <source>for members of an organisation</source>
        <translation>para miembros de una organización</translation>
    </message>
    <message>
        <source>for users on the organiser&apos;s list</source>
        <translation>para usuarios de la lista del organizador</translation>
    </message>
    <message>
        <source>by invitation</source>
        <translation>por invitación</translation>
    </message>
    <message>
        <source>{size} a day each way</source>
        <extracomment>{size} is an amount of data such as &quot;3 GB&quot;.</extracomment>
        <translation>{size} al día en cada sentido</translation>
    </message>
    <message>
        <source>volunteers: {count}</source>
        <extracomment>{count} is a number.</extracomment>
        <translation>voluntarios: {count}</translation>
    </message>
    <message>
        <source>Show the run</source>
        <translation>Ver el proyecto</translation>
    </message>
    <message>
        <source>Show {run}</source>
        <extracomment>{run} is the title of a run.</extracomment>
        <translation>Ver {run}</translation>
    </message>
    <message>
        <source>Reading the lists…</source>
        <translation>Leyendo las listas…</translation>
    </message>
    <message>
        <source>Lists of runs are kept by people whom you trust, such as a club or a website. Add one by its address and the key that its keeper publishes. You see each run before you join it.</source>
        <translation>Las listas de proyectos las llevan personas de confianza, como un club o un sitio web. Añada una con su dirección y la clave que publica su responsable. Verá cada proyecto antes de unirse.</translation>
    </message>
    <message>
        <source>There is no run on your lists.</source>
        <translation>No hay ningún proyecto en sus listas.</translation>
    </message>
    <message>
        <source>This is what the lists say. The run&apos;s own facts follow before you join.</source>
        <translation>Esto es lo que dicen las listas. Los datos del propio proyecto siguen antes de unirse.</translation>
    </message>
</context>
<context>
    <name>GalleryPage</name>
    <message>
        <source>The run</source>
        <translation>El proyecto</translation>
    </message>
    <message>
        <source>My pictures</source>
        <translation>Mis imágenes</translation>
    </message>
    <message>
        <source>Pictures shown</source>
        <translation>Imágenes mostradas</translation>
    </message>
</context>
<context>
    <name>GatePanel</name>
    <message>
        <source>Only members can train this run</source>
        <translation>Solo los miembros pueden entrenar este proyecto</translation>
    </message>
    <message>
        <source>Invitation code</source>
        <translation>Código de invitación</translation>
    </message>
    <message>
        <source>Sign in with the browser</source>
        <translation>Iniciar sesión con el navegador</translation>
    </message>
    <message>
        <source>Use a code instead</source>
        <translation>Usar un código en su lugar</translation>
    </message>
    <message>
        <source>You are admitted to this run.</source>
        <translation>Tienes acceso a este proyecto.</translation>
    </message>
    <message>
        <source>Only until Idlebrush quits</source>
        <translation>Solo hasta que se cierre Idlebrush</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot store your membership</source>
        <translation>El llavero de este ordenador no puede guardar tu acceso</translation>
    </message>
    <message>
        <source>Unlock the keyring and try again, or sign in only until Idlebrush quits.</source>
        <translation>Desbloquea el llavero y reinténtalo, o inicia sesión solo hasta que se cierre Idlebrush.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
</context>
<context>
    <name>Hero</name>
    <message>
        <source>Website</source>
        <translation>Sitio web</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausar</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Reanudar</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>Pausar un rato</translation>
    </message>
    <message>
        <source>Finish this epoch</source>
        <translation>Terminar esta época</translation>
    </message>
    <message>
        <source>Train anyway</source>
        <translation>Entrenar de todos modos</translation>
    </message>
    <message>
        <source>Back to my preferences</source>
        <translation>Volver a mis preferencias</translation>
    </message>
</context>
<context>
    <name>HiddenChangesNote</name>
    <message numerus="yes">
        <source>%Ln more setting(s) differ from the default</source>
        <translation>
            <numerusform>%Ln ajuste más difiere del valor predeterminado</numerusform>
            <numerusform>%Ln ajustes más difieren del valor predeterminado</numerusform>
        </translation>
    </message>
    <message>
        <source>Show them</source>
        <translation>Mostrarlos</translation>
    </message>
</context>
<context>
    <name>HoursEditor</name>
    <message>
        <source>Drag to select hours, or move with the arrow keys and press Space. You can also type the hours into the field.</source>
        <translation>Arrastra para seleccionar horas, o muévete con las flechas y pulsa la barra espaciadora. También puedes escribir el horario en el campo.</translation>
    </message>
    <message>
        <source>{preference}, as text</source>
        <translation>{preference}, como texto</translation>
    </message>
</context>
<context>
    <name>HoursGrid</name>
    <message>
        <source>{day}, {time}: training is allowed</source>
        <translation>{day}, {time}: se permite entrenar</translation>
    </message>
    <message>
        <source>{day}, {time}: training pauses</source>
        <translation>{day}, {time}: entrenamiento en pausa</translation>
    </message>
</context>
<context>
    <name>JoinedRunRow</name>
    <message>
        <source>Share: </source>
        <translation>Peso: </translation>
    </message>
    <message>
        <source>Leave…</source>
        <translation>Salir…</translation>
    </message>
    <message>
        <source>Share of {title}</source>
        <translation>Peso de {title}</translation>
    </message>
    <message>
        <source>Its part of the time is its share divided by the sum of all shares.</source>
        <translation>Su parte del tiempo es su peso dividido entre la suma de todos los pesos.</translation>
    </message>
    <message>
        <source>Leave {title}</source>
        <translation>Salir de {title}</translation>
    </message>
</context>
<context>
    <name>JoinedRuns</name>
    <message>
        <source>It has its turn.</source>
        <translation>Es su turno.</translation>
    </message>
    <message>
        <source>It waits for its turn.</source>
        <translation>Espera su turno.</translation>
    </message>
    <message>
        <source>It trains only while no other run can.</source>
        <translation>Solo entrena cuando ningún otro proyecto puede.</translation>
    </message>
    <message>
        <source>It has done all of its epochs.</source>
        <translation>Ha completado todas sus épocas.</translation>
    </message>
    <message>
        <source>It needs a newer version of Idlebrush.</source>
        <translation>Necesita una versión más nueva de Idlebrush.</translation>
    </message>
    <message>
        <source>It does not admit you, or asks you to sign in.</source>
        <translation>No te admite o te pide que inicies sesión.</translation>
    </message>
    <message>
        <source>It needs more memory than training may use.</source>
        <translation>Necesita más memoria de la que puede usar el entrenamiento.</translation>
    </message>
    <message>
        <source>Its trainer fails again and again.</source>
        <translation>Su entrenamiento falla una y otra vez.</translation>
    </message>
    <message>
        <source>Its other computers do not answer.</source>
        <translation>Sus otros ordenadores no responden.</translation>
    </message>
    <message>
        <source>Its files are missing.</source>
        <translation>Faltan sus archivos.</translation>
    </message>
    <message>
        <source>Next attempt: {moment}.</source>
        <extracomment>{moment} is a time of the day, or a day and a time.</extracomment>
        <translation>Próximo intento: {moment}.</translation>
    </message>
    <message>
        <source>{part} of the time by its share · {week} of the last 7 days · {time} in all</source>
        <extracomment>{part} and {week} are such as &quot;25%&quot;, {time} is such as &quot;3 h 20 min&quot;.</extracomment>
        <translation>{part} del tiempo según su peso · {week} de los últimos 7 días · {time} en total</translation>
    </message>
    <message>
        <source>Leave {title}?</source>
        <translation>¿Salir de {title}?</translation>
    </message>
    <message>
        <source>This computer no longer trains it. Its files and what you contributed are kept, and you can join again.</source>
        <translation>Este ordenador dejará de entrenarlo. Sus archivos y lo que has aportado se conservan, y puedes volver a unirte.</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Salir</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Quedarse</translation>
    </message>
</context>
<context>
    <name>JoinedRunsCard</name>
    <message>
        <source>Your runs</source>
        <translation>Tus proyectos</translation>
    </message>
    <message>
        <source>This computer can train several runs in turns, each for its share of the time.</source>
        <translation>Este ordenador puede entrenar varios proyectos por turnos, cada uno durante su parte del tiempo.</translation>
    </message>
    <message>
        <source>Join another run</source>
        <translation>Unirse a otro proyecto</translation>
    </message>
</context>
<context>
    <name>LargePicture</name>
    <message>
        <source>Save…</source>
        <translation>Guardar…</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Copiar imagen</translation>
    </message>
    <message>
        <source>Copy prompt and seed</source>
        <translation>Copiar texto y semilla</translation>
    </message>
    <message>
        <source>Draw again…</source>
        <translation>Dibujar otra vez…</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Abrir carpeta</translation>
    </message>
    <message>
        <source>The picture is saved</source>
        <translation>Imagen guardada</translation>
    </message>
    <message>
        <source>{reason}. Choose another folder.</source>
        <translation>{reason}. Elige otra carpeta.</translation>
    </message>
    <message>
        <source>The picture could not be saved</source>
        <translation>No se ha podido guardar la imagen</translation>
    </message>
    <message>
        <source>The picture is copied to the clipboard</source>
        <translation>La imagen se ha copiado en el portapapeles</translation>
    </message>
    <message>
        <source>Prompt and seed are copied to the clipboard</source>
        <translation>El texto y la semilla se han copiado en el portapapeles</translation>
    </message>
</context>
<context>
    <name>LeaderboardPage</name>
    <message>
        <source>Volunteers</source>
        <translation>Participantes</translation>
    </message>
    <message>
        <source>Teams</source>
        <translation>Equipos</translation>
    </message>
    <message>
        <source>Ranks of</source>
        <translation>Clasificación de</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Muestras</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Tiempo</translation>
    </message>
    <message>
        <source>Ranked by</source>
        <translation>Ordenado por</translation>
    </message>
    <message>
        <source>All time</source>
        <translation>Desde siempre</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Últimos 7 días</translation>
    </message>
    <message>
        <source>Period</source>
        <translation>Período</translation>
    </message>
    <message>
        <source>Show my row</source>
        <translation>Mostrar mi fila</translation>
    </message>
    <message>
        <source>Hide my name from others</source>
        <translation>Ocultar mi nombre a los demás</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Elegir un proyecto</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
</context>
<context>
    <name>LeaderboardView</name>
    <message>
        <source>Hidden volunteer</source>
        <translation>Participante anónimo</translation>
    </message>
    <message>
        <source>{name} (you, hidden from others)</source>
        <translation>{name} (tú, oculto para los demás)</translation>
    </message>
    <message>
        <source>{name} (you)</source>
        <translation>{name} (tú)</translation>
    </message>
    <message>
        <source>Volunteers so far: {total}. You are not among them yet.</source>
        <translation>Participantes hasta ahora: {total}. Tú aún no figuras entre ellos.</translation>
    </message>
    <message>
        <source>You are ranked {rank} of {total}.</source>
        <translation>Ocupas el puesto {rank} de {total}.</translation>
    </message>
    <message>
        <source>Volunteers so far: {total}. This run has no sign-in, so your row is unknown.</source>
        <translation>Participantes hasta ahora: {total}. Este proyecto no pide iniciar sesión, así que no se sabe cuál es tu fila.</translation>
    </message>
    <message>
        <source>Teams so far: {total}. Join one, and your samples count for it from then on; they stay with it.</source>
        <translation>Equipos hasta ahora: {total}. Únete a uno y tus muestras contarán para él desde ese momento; se quedan con él.</translation>
    </message>
    <message>
        <source>Your team {name} is ranked {rank} of {total}.</source>
        <translation>Tu equipo {name} ocupa el puesto {rank} de {total}.</translation>
    </message>
    <message>
        <source>You lead it: your page on the website renames it or hands it over.</source>
        <translation>Lo diriges tú: en tu página del sitio web puedes cambiarle el nombre o cederlo.</translation>
    </message>
    <message>
        <source>Samples of yours that are not credited: {count}.</source>
        <translation>Muestras tuyas que no se acreditan: {count}.</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Sin conexión</translation>
    </message>
    <message>
        <source>The leaderboard appears here once Idlebrush runs in the background.</source>
        <translation>La clasificación aparecerá aquí cuando Idlebrush se ejecute en segundo plano.</translation>
    </message>
    <message>
        <source>You have not joined a run yet</source>
        <translation>Aún no te has unido a ningún proyecto</translation>
    </message>
    <message>
        <source>Join a run to compare your contribution with others.</source>
        <translation>Únete a un proyecto para comparar tu contribución con las demás.</translation>
    </message>
    <message>
        <source>This run has no leaderboard</source>
        <translation>Este proyecto no tiene clasificación</translation>
    </message>
    <message>
        <source>The organiser does not count contributions. This computer counts yours on the page My contribution.</source>
        <translation>El organizador no lleva la cuenta de las contribuciones. Este ordenador cuenta la tuya en la página «Mi contribución».</translation>
    </message>
    <message>
        <source>No volunteers yet</source>
        <translation>Aún no hay participantes</translation>
    </message>
    <message>
        <source>The leaderboard starts with the first completed epoch.</source>
        <translation>La clasificación empieza con la primera época terminada.</translation>
    </message>
    <message>
        <source>Best rank: {rank}, on {day}</source>
        <translation>Mejor puesto: {rank}, el {day}</translation>
    </message>
</context>
<context>
    <name>LicenceCard</name>
    <message>
        <source>Licences</source>
        <translation>Licencias</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Licencia</translation>
    </message>
    <message>
        <source>Licence text</source>
        <translation>Texto de la licencia</translation>
    </message>
    <message>
        <source>This text cannot be read: {reason}.</source>
        <translation>No se puede leer este texto: {reason}.</translation>
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
        <translation>El proyecto incluido: fuentes</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Bibliotecas</translation>
    </message>
    <message>
        <source>The app is built with Qt, by the Qt Company and contributors, and with Qt for Python (PySide6). Idlebrush uses both under the GNU Lesser General Public License, version 3. Both are installed as separate files. You may replace them with your own versions and reverse-engineer them to debug your changes.

Licence: https://www.gnu.org/licenses/lgpl-3.0.html
Source code: https://download.qt.io/official_releases/QtForPython/</source>
        <translation>La aplicación está hecha con Qt, de The Qt Company y colaboradores, y con Qt for Python (PySide6). Idlebrush usa ambos bajo la licencia GNU Lesser General Public License, versión 3. Ambos se instalan como archivos independientes. Puedes sustituirlos por versiones propias y aplicarles ingeniería inversa para depurar tus cambios.

Licencia: https://www.gnu.org/licenses/lgpl-3.0.html
Código fuente: https://download.qt.io/official_releases/QtForPython/</translation>
    </message>
    <message>
        <source>see the package</source>
        <translation>véase el paquete</translation>
    </message>
</context>
<context>
    <name>LineChart</name>
    <message>
        <source>From {first} at {start} to {last} at {end}. The lowest is {low}, the highest {high}. Use the arrow keys to read single values.</source>
        <translation>De {first}, en {start}, a {last}, en {end}. El valor más bajo es {low} y el más alto, {high}. Usa las flechas del teclado para leer cada valor.</translation>
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
        <translation>Enlace del proyecto</translation>
    </message>
    <message>
        <source>Show the run</source>
        <translation>Ver el proyecto</translation>
    </message>
    <message>
        <source>This is not a link to a run. Links to runs begin with idlebrush: or https://</source>
        <translation>Este no es el enlace de un proyecto. Los enlaces de proyectos empiezan por idlebrush: o https://</translation>
    </message>
</context>
<context>
    <name>ListPanel</name>
    <message>
        <source>Address of a list of runs</source>
        <translation>Dirección de una lista de proyectos</translation>
    </message>
    <message>
        <source>Its key</source>
        <translation>Su clave</translation>
    </message>
    <message>
        <source>Key of the list&apos;s keeper</source>
        <translation>Clave del responsable de la lista</translation>
    </message>
    <message>
        <source>Add this list</source>
        <translation>Añadir esta lista</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>Todos los proyectos</translation>
    </message>
    <message>
        <source>Enter the address of the list and the key that its keeper publishes.</source>
        <translation>Introduzca la dirección de la lista y la clave que publica su responsable.</translation>
    </message>
    <message>
        <source>Remove this list</source>
        <translation>Eliminar esta lista</translation>
    </message>
    <message>
        <source>Remove {list}</source>
        <extracomment>{list} is the title of a list of runs.</extracomment>
        <translation>Eliminar {list}</translation>
    </message>
</context>
<context>
    <name>LocalSwarm</name>
    <message>
        <source>It does not run now. Its model and its website are kept.</source>
        <translation>Ahora no está en marcha. Su modelo y su sitio web se conservan.</translation>
    </message>
    <message>
        <source>Its coordinator is being started.</source>
        <translation>Su coordinador se está iniciando.</translation>
    </message>
    <message>
        <source>It is served by a terminal. This app goes on with it afterwards.</source>
        <translation>Lo sirve un terminal. Después, esta aplicación continúa con él.</translation>
    </message>
    <message>
        <source>This computer runs a coordinator with a website and a leaderboard, and a second trainer beside your own. No other computer takes part.</source>
        <translation>Este ordenador ejecuta un coordinador con un sitio web y una clasificación, y un segundo entrenador junto al suyo. No participa ningún otro ordenador.</translation>
    </message>
    <message>
        <source>Stop and remove the swarm on this computer?</source>
        <translation>¿Detener y eliminar el enjambre de este ordenador?</translation>
    </message>
    <message>
        <source>Its model, its website and its leaderboard are deleted. Your pictures are kept.</source>
        <translation>Se borran su modelo, su sitio web y su clasificación. Sus imágenes se conservan.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Eliminar</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Conservar</translation>
    </message>
</context>
<context>
    <name>LocalSwarmCard</name>
    <message>
        <source>The swarm on this computer</source>
        <translation>El enjambre de este ordenador</translation>
    </message>
    <message>
        <source>Open its website</source>
        <translation>Abrir su sitio web</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Iniciar de nuevo</translation>
    </message>
    <message>
        <source>Stop and remove…</source>
        <translation>Detener y eliminar…</translation>
    </message>
</context>
<context>
    <name>Log</name>
    <message>
        <source>Detail</source>
        <translation>Detalle</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>Información</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Advertencia</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Error</translation>
    </message>
</context>
<context>
    <name>LogPage</name>
    <message>
        <source>Copy</source>
        <translation>Copiar</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Abrir carpeta</translation>
    </message>
    <message>
        <source>This log cannot be read</source>
        <translation>No se puede leer este registro</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Sin resultados</translation>
    </message>
    <message>
        <source>No line at this level contains these words.</source>
        <translation>Ninguna línea de este nivel contiene estas palabras.</translation>
    </message>
    <message>
        <source>Nothing here yet</source>
        <translation>Aún no hay nada</translation>
    </message>
    <message>
        <source>New lines appear here.</source>
        <translation>Las líneas nuevas aparecerán aquí.</translation>
    </message>
    <message>
        <source>Copies the selected lines, or all lines shown</source>
        <translation>Copia las líneas seleccionadas, o todas las que se muestran</translation>
    </message>
    <message>
        <source>Full text of the selected lines</source>
        <translation>Las líneas seleccionadas, completas</translation>
    </message>
</context>
<context>
    <name>LogTools</name>
    <message>
        <source>Find in the log</source>
        <translation>Buscar en el registro</translation>
    </message>
    <message>
        <source>Follow new lines</source>
        <translation>Seguir las líneas nuevas</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>Avisos</translation>
    </message>
    <message numerus="yes">
        <source>%Ln line(s)</source>
        <translation>
            <numerusform>%Ln línea</numerusform>
            <numerusform>%Ln líneas</numerusform>
        </translation>
    </message>
    <message>
        <source>Log file</source>
        <translation>Archivo de registro</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Nivel</translation>
    </message>
    <message>
        <source>All lines</source>
        <translation>Todas las líneas</translation>
    </message>
    <message>
        <source>Without details</source>
        <translation>Sin detalles</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>Advertencias y errores</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Errores</translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message>
        <source>Lines of the log</source>
        <translation>Líneas del registro</translation>
    </message>
</context>
<context>
    <name>LossCurve</name>
    <message>
        <source>Loss by epoch</source>
        <translation>Error (pérdida) por época</translation>
    </message>
    <message>
        <source>The curve starts with the swarm&apos;s first epoch.</source>
        <translation>La curva empieza con la primera época del enjambre.</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Época</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Error (pérdida)</translation>
    </message>
    <message>
        <source>Now {loss}, at the start {first}</source>
        <translation>Ahora {loss}; al principio, {first}</translation>
    </message>
</context>
<context>
    <name>Mosaic</name>
    <message>
        <source>A sunset over the sea in small brush strokes, which emerges from noise</source>
        <translation>Una puesta de sol sobre el mar en pequeñas pinceladas que surge del ruido</translation>
    </message>
</context>
<context>
    <name>NamesEditor</name>
    <message>
        <source>Name of a program</source>
        <translation>Nombre de un programa</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Añadir</translation>
    </message>
</context>
<context>
    <name>Navigation</name>
    <message>
        <source>Pages</source>
        <translation>Páginas</translation>
    </message>
</context>
<context>
    <name>NewsCard</name>
    <message>
        <source>News from the organiser</source>
        <translation>Noticias del organizador</translation>
    </message>
</context>
<context>
    <name>NewsDialog</name>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Cerrar</translation>
    </message>
    <message>
        <source>What&apos;s new in Idlebrush {version}</source>
        <translation>Novedades de Idlebrush {version}</translation>
    </message>
</context>
<context>
    <name>Notifications</name>
    <message>
        <source>Something needs your attention</source>
        <translation>Algo requiere tu atención</translation>
    </message>
    <message>
        <source>You were signed out</source>
        <translation>Se ha cerrado tu sesión</translation>
    </message>
    <message>
        <source>Idlebrush needs your attention</source>
        <translation>Idlebrush requiere tu atención</translation>
    </message>
    <message>
        <source>The packages for training are not installed.</source>
        <translation>Los paquetes para el entrenamiento no están instalados.</translation>
    </message>
    <message>
        <source>You are ranked {rank} of {of} in “{run}”.</source>
        <translation>Ocupas el puesto {rank} de {of} en «{run}».</translation>
    </message>
    <message>
        <source>Your best rank so far</source>
        <translation>Tu mejor puesto hasta ahora</translation>
    </message>
    <message>
        <source>“{run}” has completed all of its epochs. Open the gallery to see its pictures.</source>
        <translation>«{run}» ha terminado todas sus épocas. Abre la galería para ver sus imágenes.</translation>
    </message>
    <message>
        <source>The run is complete</source>
        <translation>El proyecto ha terminado</translation>
    </message>
</context>
<context>
    <name>NowPage</name>
    <message>
        <source>Nothing to train yet</source>
        <translation>Aún no hay nada que entrenar</translation>
    </message>
    <message>
        <source>Join a run. This computer then helps to train a model whenever you do not need it.</source>
        <translation>Únete a un proyecto. Este ordenador ayudará a entrenar un modelo cuando no lo necesites.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Elegir un proyecto</translation>
    </message>
    <message>
        <source>This page shows what Idlebrush does once it runs in the background.</source>
        <translation>Esta página mostrará lo que hace Idlebrush cuando se ejecute en segundo plano.</translation>
    </message>
    <message>
        <source>One moment</source>
        <translation>Un momento</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Sin conexión</translation>
    </message>
</context>
<context>
    <name>NowReasons</name>
    <message>
        <source>Resume</source>
        <translation>Reanudar</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Elegir un proyecto</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Iniciar sesión</translation>
    </message>
    <message>
        <source>Sign in to this run</source>
        <translation>Iniciar sesión en este proyecto</translation>
    </message>
    <message>
        <source>Change this</source>
        <translation>Cambiar</translation>
    </message>
    <message>
        <source>Open the gallery</source>
        <translation>Abrir la galería</translation>
    </message>
    <message>
        <source>Open the log</source>
        <translation>Abrir el registro</translation>
    </message>
    <message>
        <source>Show updates</source>
        <translation>Ver actualizaciones</translation>
    </message>
</context>
<context>
    <name>NowView</name>
    <message>
        <source>Training waits for data {percent} of the time</source>
        <translation>El entrenamiento espera datos el {percent} del tiempo</translation>
    </message>
    <message>
        <source>The connection or its speed limit is too slow for this computer.</source>
        <translation>La conexión o su límite de velocidad son demasiado lentos para este ordenador.</translation>
    </message>
    <message>
        <source>{gathered} of {target} samples</source>
        <translation>{gathered} de {target} muestras</translation>
    </message>
    <message>
        <source>{count} by you</source>
        <translation>{count} son tuyas</translation>
    </message>
    <message>
        <source>Samples so far: {gathered}</source>
        <extracomment>{gathered} is a number. The clock ends this epoch, whatever was gathered.</extracomment>
        <translation>Muestras hasta ahora: {gathered}</translation>
    </message>
    <message>
        <source>Epoch {epoch}</source>
        <translation>Época {epoch}</translation>
    </message>
    <message>
        <source>Epoch {epoch} of {total}</source>
        <translation>Época {epoch} de {total}</translation>
    </message>
    <message>
        <source>About {duration} left</source>
        <translation>Tiempo restante: aprox. {duration}</translation>
    </message>
    <message>
        <source>Swarm speed</source>
        <translation>Velocidad del enjambre</translation>
    </message>
    <message>
        <source>Your speed</source>
        <translation>Tu velocidad</translation>
    </message>
    <message>
        <source>Your samples in this epoch</source>
        <translation>Tus muestras en esta época</translation>
    </message>
    <message>
        <source>Your samples today</source>
        <translation>Tus muestras de hoy</translation>
    </message>
    <message>
        <source>Peers in the swarm</source>
        <translation>Ordenadores en el enjambre</translation>
    </message>
    <message>
        <source>Your rank among {total}</source>
        <translation>Tu puesto entre {total}</translation>
    </message>
    <message>
        <source>samples per hour</source>
        <translation>muestras por hora</translation>
    </message>
    <message>
        <source>samples per second</source>
        <translation>muestras por segundo</translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) for pictures in the queue</source>
        <translation>
            <numerusform>%Ln petición de imágenes en la cola</numerusform>
            <numerusform>%Ln peticiones de imágenes en la cola</numerusform>
        </translation>
    </message>
    <message>
        <source>How this computer trains</source>
        <translation>Cómo entrena este ordenador</translation>
    </message>
    <message>
        <source>This computer trains on its processor, not on its GPU</source>
        <translation>Este ordenador entrena con su procesador, no con su GPU</translation>
    </message>
    <message>
        <source>Its driver keeps it.</source>
        <translation>Su controlador mantiene el límite.</translation>
    </message>
    <message>
        <source>Lower clocks and short breaks between steps keep it on average, because its driver does not let Idlebrush set the limit.</source>
        <translation>Frecuencias más bajas y breves descansos entre pasos lo mantienen de media, porque su controlador no deja que Idlebrush fije el límite.</translation>
    </message>
    <message>
        <source>Short breaks between steps keep it on average, because its driver does not let Idlebrush set the limit.</source>
        <translation>Breves descansos entre pasos lo mantienen de media, porque su controlador no deja que Idlebrush fije el límite.</translation>
    </message>
    <message>
        <source>This GPU reports no limit of which a percentage could be taken. Set the limit in watts.</source>
        <translation>Esta GPU no indica ningún límite del que calcular un porcentaje. Pon el límite en vatios.</translation>
    </message>
    <message>
        <source>The power of the GPU is not limited</source>
        <translation>La potencia de la GPU no está limitada</translation>
    </message>
    <message>
        <source>The power of the GPU is limited to {watts} W</source>
        <translation>La potencia de la GPU está limitada a {watts} W</translation>
    </message>
    <message numerus="yes">
        <source>On the GPU with %Ln sample(s) at a time, {gpu_memory} of GPU memory and {memory} of RAM.</source>
        <translation>
            <numerusform>En la GPU, con %Ln muestra a la vez, {gpu_memory} de memoria de GPU y {memory} de RAM.</numerusform>
            <numerusform>En la GPU, con %Ln muestras a la vez, {gpu_memory} de memoria de GPU y {memory} de RAM.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>On the processor with %Ln sample(s) at a time and {memory} of RAM.</source>
        <translation>
            <numerusform>En el procesador, con %Ln muestra a la vez y {memory} de RAM.</numerusform>
            <numerusform>En el procesador, con %Ln muestras a la vez y {memory} de RAM.</numerusform>
        </translation>
    </message>
    <message>
        <source>GPU {index} ({name}) trains</source>
        <translation>La GPU {index} ({name}) entrena</translation>
    </message>
    <message>
        <source>GPU {index} ({name}) is not used: {why}.</source>
        <translation>La GPU {index} ({name}) no se usa: {why}.</translation>
    </message>
    <message>
        <source>your preferences leave it out</source>
        <translation>tus preferencias la excluyen</translation>
    </message>
    <message>
        <source>other programs use it</source>
        <translation>la usan otros programas</translation>
    </message>
    <message>
        <source>it has less free memory</source>
        <translation>tiene menos memoria libre</translation>
    </message>
    <message>
        <source>it is slower</source>
        <translation>es más lenta</translation>
    </message>
    <message>
        <source>it draws the screen</source>
        <translation>se encarga de la pantalla</translation>
    </message>
    <message>
        <source>one GPU trains at a time</source>
        <translation>solo entrena una GPU a la vez</translation>
    </message>
</context>
<context>
    <name>NumberEditor</name>
    <message>
        <source>Unit of “{preference}”</source>
        <translation>Unidad de «{preference}»</translation>
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
        <translation>&amp;Ver el otro proyecto</translation>
    </message>
    <message>
        <source>&amp;Stay</source>
        <translation>&amp;Seguir aquí</translation>
    </message>
    <message>
        <source>No run</source>
        <translation>Ningún proyecto</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Cerrar</translation>
    </message>
    <message>
        <source>The files of {title} are being downloaded, and the link or file leads to another run. Looking at it stops the download. What has arrived is kept.</source>
        <translation>Se están descargando los archivos de {title}, y el enlace o el archivo lleva a otro proyecto. Si lo ves, la descarga se detiene. Lo que ya ha llegado se conserva.</translation>
    </message>
    <message>
        <source>Stop the download?</source>
        <translation>¿Detener la descarga?</translation>
    </message>
    <message>
        <source>This computer trains {title}, and the link or file leads to another run. Looking at it changes nothing: you decide afterwards. If you join it, this computer trains both in turns.</source>
        <translation>Este ordenador entrena {title}, y el enlace o el archivo lleva a otro proyecto. Verlo no cambia nada: decides después. Si te unes, este ordenador entrenará los dos por turnos.</translation>
    </message>
    <message>
        <source>Look at another run?</source>
        <translation>¿Ver otro proyecto?</translation>
    </message>
    <message>
        <source>Another run</source>
        <translation>Otro proyecto</translation>
    </message>
</context>
<context>
    <name>Offers</name>
    <message>
        <source>This computer already trains {title}.</source>
        <translation>Este ordenador ya entrena {title}.</translation>
    </message>
</context>
<context>
    <name>Order</name>
    <message>
        <source>The prompt contains characters that cannot be used.</source>
        <translation>El texto contiene caracteres que no se pueden usar.</translation>
    </message>
    <message>
        <source>Describe in plain words what the picture should show.</source>
        <translation>Describe con palabras sencillas lo que debe mostrar la imagen.</translation>
    </message>
    <message>
        <source>Describe what the pictures should show.</source>
        <translation>Describe lo que deben mostrar las imágenes.</translation>
    </message>
    <message>
        <source>The prompt is too long. A few words work best.</source>
        <translation>El texto es demasiado largo. Lo mejor son unas pocas palabras.</translation>
    </message>
</context>
<context>
    <name>OutcomeCard</name>
    <message>
        <source>What the model writes</source>
        <translation>Lo que escribe el modelo</translation>
    </message>
    <message>
        <source>See how the model improved</source>
        <translation>Ver cómo ha mejorado el modelo</translation>
    </message>
    <message>
        <source>All {epochs} epochs are complete</source>
        <translation>Se han completado las {epochs} épocas</translation>
    </message>
    <message>
        <source>Thank you for helping to train “{run}”.</source>
        <translation>Gracias por ayudar a entrenar «{run}».</translation>
    </message>
</context>
<context>
    <name>OwnPictures</name>
    <message>
        <source>Show older pictures</source>
        <translation>Mostrar imágenes anteriores</translation>
    </message>
    <message>
        <source>The pictures for “{prompt}” are ready</source>
        <translation>Las imágenes de «{prompt}» están listas</translation>
    </message>
    <message>
        <source>No pictures yet</source>
        <translation>Aún no hay imágenes</translation>
    </message>
    <message>
        <source>Type a few words above. The model draws many pictures and keeps the best.</source>
        <translation>Escribe unas palabras arriba. El modelo dibuja muchas imágenes y se queda con las mejores.</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Aún no hay proyecto</translation>
    </message>
    <message>
        <source>Choose a run. Its model then draws pictures for your prompts.</source>
        <translation>Elige un proyecto. Su modelo dibujará imágenes a partir de tus textos.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Elegir un proyecto</translation>
    </message>
    <message>
        <source>The pictures for “{prompt}” could not be drawn</source>
        <translation>No se han podido dibujar las imágenes de «{prompt}»</translation>
    </message>
    <message>
        <source>Your pictures cannot be read</source>
        <translation>No se pueden leer tus imágenes</translation>
    </message>
</context>
<context>
    <name>PairingDialog</name>
    <message>
        <source>Let another computer control this one</source>
        <translation>Permitir que otro ordenador controle este</translation>
    </message>
    <message>
        <source>On your other computer, open My computers, choose “Add a computer…”, and enter:</source>
        <translation>En tu otro ordenador, abre «Mis ordenadores», elige «Añadir un ordenador…» e introduce:</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Cerrar</translation>
    </message>
    <message>
        <source>Code: {code}</source>
        <extracomment>{code} is spelt out by screen readers.</extracomment>
        <translation>Código: {code}</translation>
    </message>
    <message>
        <source>Address of this computer:
{addresses}</source>
        <extracomment>{addresses} are addresses of this computer, one below the other.</extracomment>
        <translation>Dirección de este ordenador:
{addresses}</translation>
    </message>
</context>
<context>
    <name>PictureViewer</name>
    <message>
        <source>Back to all pictures</source>
        <translation>Volver a todas las imágenes</translation>
    </message>
    <message>
        <source>Previous picture</source>
        <translation>Imagen anterior</translation>
    </message>
    <message>
        <source>Next picture</source>
        <translation>Imagen siguiente</translation>
    </message>
</context>
<context>
    <name>Plan</name>
    <message>
        <source>This run needs more memory than this computer can provide.</source>
        <translation>Este proyecto necesita más memoria de la que tiene disponible este ordenador.</translation>
    </message>
    <message>
        <source>Trains on {device} with {gpu_memory} of GPU memory and {memory} of RAM.</source>
        <extracomment>{gpu_memory} and {memory} are such as &quot;5.2 GB&quot;.</extracomment>
        <translation>Entrena en {device} con {gpu_memory} de memoria de GPU y {memory} de RAM.</translation>
    </message>
    <message>
        <source>Trains on the processor with {memory} of RAM.</source>
        <translation>Entrena en el procesador con {memory} de RAM.</translation>
    </message>
</context>
<context>
    <name>PlayBar</name>
    <message>
        <source>Play the time-lapse</source>
        <translation>Reproducir la secuencia</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Época</translation>
    </message>
    <message>
        <source>Pause the time-lapse</source>
        <translation>Pausar la secuencia</translation>
    </message>
    <message>
        <source>Epoch {epoch}</source>
        <translation>Época {epoch}</translation>
    </message>
</context>
<context>
    <name>Plot</name>
    <message>
        <source>Nothing to show yet</source>
        <translation>Aún no hay nada que mostrar</translation>
    </message>
</context>
<context>
    <name>Preferences</name>
    <message>
        <source>When to train</source>
        <translation>Cuándo entrenar</translation>
    </message>
    <message>
        <source>While you use the computer</source>
        <translation>Mientras usas el ordenador</translation>
    </message>
    <message>
        <source>Battery and heat</source>
        <translation>Batería y calor</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>Otros programas</translation>
    </message>
    <message>
        <source>How much to use</source>
        <translation>Uso de recursos</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memoria</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Red</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Entrenar</translation>
    </message>
    <message>
        <source>“Always” ignores the settings for your convenience. It still respects the limits that protect the computer and your bill: heat, memory, disk, battery charge, price of electricity, metered connections and the monthly quota.</source>
        <translation>«Siempre» no tiene en cuenta los ajustes para tu comodidad. Sí respeta los límites que protegen el ordenador y tu bolsillo: calor, memoria, disco, carga de la batería, precio de la electricidad, conexiones de uso medido y cuota mensual.</translation>
    </message>
    <message>
        <source>Hours of the week</source>
        <translation>Horario semanal</translation>
    </message>
    <message>
        <source>Idle after</source>
        <translation>Inactivo tras</translation>
    </message>
    <message>
        <source>Processor share while in use</source>
        <translation>Parte del procesador durante el uso</translation>
    </message>
    <message>
        <source>GPU share while in use</source>
        <translation>Parte de la GPU durante el uso</translation>
    </message>
    <message>
        <source>Pause for full-screen applications</source>
        <translation>Pausar con aplicaciones a pantalla completa</translation>
    </message>
    <message>
        <source>Pause for videos</source>
        <translation>Pausar con vídeos</translation>
    </message>
    <message>
        <source>On battery</source>
        <translation>Con batería</translation>
    </message>
    <message>
        <source>Lowest battery charge</source>
        <translation>Carga mínima de la batería</translation>
    </message>
    <message>
        <source>Highest processor temperature</source>
        <translation>Temperatura máxima del procesador</translation>
    </message>
    <message>
        <source>Highest GPU temperature</source>
        <translation>Temperatura máxima de la GPU</translation>
    </message>
    <message>
        <source>Processor load of other programs</source>
        <translation>Procesador usado por otros programas</translation>
    </message>
    <message>
        <source>GPU load of other programs</source>
        <translation>GPU usada por otros programas</translation>
    </message>
    <message>
        <source>Exclusive applications</source>
        <translation>Aplicaciones prioritarias</translation>
    </message>
    <message>
        <source>Share of the time</source>
        <translation>Parte del tiempo</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>Hilos del procesador</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Disk space for runs</source>
        <translation>Espacio en disco para proyectos</translation>
    </message>
    <message>
        <source>Disk space to keep free</source>
        <translation>Espacio en disco que dejar libre</translation>
    </message>
    <message>
        <source>Memory for training</source>
        <translation>Memoria para entrenar</translation>
    </message>
    <message>
        <source>Memory to keep free</source>
        <translation>Memoria que dejar libre</translation>
    </message>
    <message>
        <source>GPU memory for training</source>
        <translation>Memoria de GPU para entrenar</translation>
    </message>
    <message>
        <source>GPU memory for other programs</source>
        <translation>Memoria de GPU para otros programas</translation>
    </message>
    <message>
        <source>Keep memory during pauses for</source>
        <translation>Conservar la memoria en pausa durante</translation>
    </message>
    <message>
        <source>Free GPU memory at every pause</source>
        <translation>Liberar la memoria de la GPU en cada pausa</translation>
    </message>
    <message>
        <source>Upload speed</source>
        <translation>Velocidad de subida</translation>
    </message>
    <message>
        <source>Download speed</source>
        <translation>Velocidad de bajada</translation>
    </message>
    <message>
        <source>Monthly traffic quota</source>
        <translation>Cuota mensual de tráfico</translation>
    </message>
    <message>
        <source>Pause on metered connections</source>
        <translation>Pausar con conexiones de uso medido</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Puerto</translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation>Abrir al iniciar sesión</translation>
    </message>
    <message>
        <source>Training is allowed during these hours of the week, in local time.</source>
        <translation>Se permite entrenar durante estas horas de la semana, en hora local.</translation>
    </message>
    <message>
        <source>Change runs after</source>
        <translation>Cambiar de proyecto tras</translation>
    </message>
    <message>
        <source>If several runs are joined, another one may take over after this time of training, at the end of an epoch.</source>
        <translation>Si te has unido a varios proyectos, otro puede tomar el relevo tras este tiempo de entrenamiento, al final de una época.</translation>
    </message>
    <message>
        <source>The computer counts as idle after this time without keyboard or mouse input.</source>
        <translation>El ordenador se considera inactivo tras este tiempo sin usar el teclado ni el ratón.</translation>
    </message>
    <message>
        <source>While you use the computer, training on the processor pauses or continues for this share of the time.</source>
        <translation>Mientras usas el ordenador, el entrenamiento en el procesador se pausa o sigue durante esta parte del tiempo.</translation>
    </message>
    <message>
        <source>While you use the computer, training on a GPU pauses or continues for this share of the time.</source>
        <translation>Mientras usas el ordenador, el entrenamiento en una GPU se pausa o sigue durante esta parte del tiempo.</translation>
    </message>
    <message>
        <source>Pause while an application fills the screen, such as a game.</source>
        <translation>Pausar mientras una aplicación, como un juego, ocupe toda la pantalla.</translation>
    </message>
    <message>
        <source>Pause while an application keeps the screen on, such as a video player.</source>
        <translation>Pausar mientras una aplicación, como un reproductor de vídeo, mantenga la pantalla encendida.</translation>
    </message>
    <message>
        <source>Pause or continue training while the computer runs on battery.</source>
        <translation>Pausar o continuar el entrenamiento cuando el ordenador funciona con batería.</translation>
    </message>
    <message>
        <source>If training is allowed on battery, it pauses below this charge.</source>
        <translation>Si se permite entrenar con batería, el entrenamiento se pausa por debajo de esta carga.</translation>
    </message>
    <message>
        <source>Pause above this temperature until the processor has cooled by 5 °C.</source>
        <translation>Pausar por encima de esta temperatura hasta que el procesador se enfríe 5&#xa0;°C.</translation>
    </message>
    <message>
        <source>Pause above this temperature until the GPU has cooled by 5 °C.</source>
        <translation>Pausar por encima de esta temperatura hasta que la GPU se enfríe 5&#xa0;°C.</translation>
    </message>
    <message>
        <source>Target temperature of the processor</source>
        <translation>Temperatura objetivo del procesador</translation>
    </message>
    <message>
        <source>Hold the processor at this temperature by short breaks between steps. Set it below the limit for pausing.</source>
        <translation>Mantener el procesador a esta temperatura con breves descansos entre pasos. Ponla por debajo del límite de pausa.</translation>
    </message>
    <message>
        <source>Target temperature of the GPU</source>
        <translation>Temperatura objetivo de la GPU</translation>
    </message>
    <message>
        <source>Hold the GPU at this temperature by short breaks between steps. Set it below the limit for pausing.</source>
        <translation>Mantener la GPU a esta temperatura con breves descansos entre pasos. Ponla por debajo del límite de pausa.</translation>
    </message>
    <message>
        <source>Power of the GPU</source>
        <translation>Potencia de la GPU</translation>
    </message>
    <message>
        <source>Limit the power of the GPU while it trains, by its driver where that is allowed, otherwise by short breaks between steps. Your own setting of the driver is restored afterwards.</source>
        <translation>Limitar la potencia de la GPU mientras entrena: con su controlador si está permitido o, si no, con breves descansos entre pasos. Después se restablece tu propio ajuste del controlador.</translation>
    </message>
    <message>
        <source>Stay awake while training</source>
        <translation>No suspender durante el entrenamiento</translation>
    </message>
    <message>
        <source>Keep the computer from going to sleep by itself while it trains, but never on battery. The screen may turn off.</source>
        <translation>Evitar que el ordenador se suspenda por sí solo mientras entrena, pero nunca con batería. La pantalla puede apagarse.</translation>
    </message>
    <message>
        <source>Price of electricity</source>
        <translation>Precio de la electricidad</translation>
    </message>
    <message>
        <source>The price of a kilowatt-hour, by the hours of the week if it changes. Idlebrush shows what the measured energy of training costs.</source>
        <translation>El precio de un kilovatio hora, según las horas de la semana si cambia. Idlebrush muestra lo que cuesta la energía medida del entrenamiento.</translation>
    </message>
    <message>
        <source>Highest price</source>
        <translation>Precio máximo</translation>
    </message>
    <message>
        <source>Pause while a kilowatt-hour costs more than this.</source>
        <translation>Pausar mientras un kilovatio hora cueste más que esto.</translation>
    </message>
    <message>
        <source>Carbon intensity of electricity</source>
        <translation>Intensidad de carbono de la electricidad</translation>
    </message>
    <message>
        <source>The grams of CO2 that a kilowatt-hour causes where you live, by the hours of the week if they change. Idlebrush shows what the measured energy of training causes.</source>
        <translation>Los gramos de CO2 que causa un kilovatio hora donde vives, según las horas de la semana si cambian. Idlebrush muestra los que causa la energía medida del entrenamiento.</translation>
    </message>
    <message>
        <source>Highest carbon intensity</source>
        <translation>Intensidad de carbono máxima</translation>
    </message>
    <message>
        <source>Pause while a kilowatt-hour causes more CO2 than this.</source>
        <translation>Pausar mientras un kilovatio hora cause más CO2 que esto.</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this share of all processor cores.</source>
        <translation>Pausar mientras otros programas usen más de este porcentaje de todos los núcleos del procesador.</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this share of the training GPU.</source>
        <translation>Pausar mientras otros programas usen más de este porcentaje de la GPU que entrena.</translation>
    </message>
    <message>
        <source>Training pauses while one of these applications runs. Enter the names of their programs.</source>
        <translation>El entrenamiento se pausa mientras se ejecuta una de estas aplicaciones. Escribe los nombres de sus programas.</translation>
    </message>
    <message>
        <source>Train for at most this share of the time. Short breaks between steps reduce heat and noise.</source>
        <translation>Entrenar, como máximo, durante esta parte del tiempo. Los breves descansos entre pasos reducen el calor y el ruido.</translation>
    </message>
    <message>
        <source>The number of processor threads for training. Automatic: all cores but one, or four if a GPU trains.</source>
        <translation>El número de hilos del procesador para entrenar. Automático: todos los núcleos menos uno, o cuatro si entrena una GPU.</translation>
    </message>
    <message>
        <source>The numbers of the GPUs that may train, counted from 0 and separated by commas.</source>
        <translation>Los números de las GPU que pueden entrenar, contados desde 0 y separados por comas.</translation>
    </message>
    <message>
        <source>The most disk space that runs may use.</source>
        <translation>Espacio máximo que los proyectos pueden ocupar en el disco.</translation>
    </message>
    <message>
        <source>Pause while less than this space is free on the disk.</source>
        <translation>Pausar cuando quede menos espacio libre que este en el disco.</translation>
    </message>
    <message>
        <source>The most memory (RAM) that training may use.</source>
        <translation>Memoria máxima (RAM) que puede ocupar el entrenamiento.</translation>
    </message>
    <message>
        <source>Release all memory when less than this is left for other programs.</source>
        <translation>Liberar toda la memoria cuando quede menos que esto para otros programas.</translation>
    </message>
    <message>
        <source>The most GPU memory that training may use.</source>
        <translation>Memoria máxima de GPU que puede ocupar el entrenamiento.</translation>
    </message>
    <message>
        <source>GPU memory kept free for other programs. If they need more, training stops at once and releases all of its GPU memory.</source>
        <translation>Memoria de GPU que queda libre para otros programas. Si necesitan más, el entrenamiento se detiene enseguida y libera toda su memoria de GPU.</translation>
    </message>
    <message>
        <source>Training releases its memory after a pause of this length.</source>
        <translation>El entrenamiento libera su memoria tras una pausa de esta duración.</translation>
    </message>
    <message>
        <source>Release GPU memory at every pause. Resuming then takes longer.</source>
        <translation>Liberar la memoria de la GPU en cada pausa. Reanudar lleva entonces más tiempo.</translation>
    </message>
    <message>
        <source>The highest speed at which training may send data.</source>
        <translation>Velocidad máxima a la que el entrenamiento puede enviar datos.</translation>
    </message>
    <message>
        <source>The highest speed at which training may receive data.</source>
        <translation>Velocidad máxima a la que el entrenamiento puede recibir datos.</translation>
    </message>
    <message>
        <source>The most data that training may send and receive in total in a calendar month.</source>
        <translation>Los datos que el entrenamiento puede enviar y recibir, como máximo, en un mes natural.</translation>
    </message>
    <message>
        <source>Pause while the connection is metered, such as a phone&apos;s.</source>
        <translation>Pausar cuando la conexión sea de uso medido, como la de un teléfono.</translation>
    </message>
    <message>
        <source>The port on which other peers reach this computer. Automatic: any free port.</source>
        <translation>Puerto por el que otros participantes llegan a este ordenador. Automático: cualquier puerto libre.</translation>
    </message>
    <message>
        <source>Control by other computers</source>
        <translation>Control desde otros ordenadores</translation>
    </message>
    <message>
        <source>Let your other computers control this one, once they are paired by a code on the page My computers.</source>
        <translation>Permitir que tus otros ordenadores controlen este, una vez emparejados con un código en la página «Mis ordenadores».</translation>
    </message>
    <message>
        <source>Port for other computers</source>
        <translation>Puerto para otros ordenadores</translation>
    </message>
    <message>
        <source>The port on which your other computers reach this one.</source>
        <translation>Puerto por el que tus otros ordenadores llegan a este.</translation>
    </message>
    <message>
        <source>Let the router forward the port (UPnP or NAT-PMP)</source>
        <translation>Dejar que el router redirija el puerto (UPnP o NAT-PMP)</translation>
    </message>
    <message>
        <source>Ask the router to forward that port to this computer, so that other peers can connect to it.</source>
        <translation>Pedir al router que redirija ese puerto a este ordenador para que otros participantes puedan conectarse a él.</translation>
    </message>
    <message>
        <source>Start Idlebrush in the background when you log in.</source>
        <translation>Abrir Idlebrush en segundo plano al iniciar sesión en el ordenador.</translation>
    </message>
    <message>
        <source>Update by itself</source>
        <translation>Actualizarse solo</translation>
    </message>
    <message>
        <source>Look for a newer version once a day, and install it while training is paused. It is never fetched on a metered connection.</source>
        <translation>Buscar una versión más nueva una vez al día e instalarla mientras el entrenamiento está en pausa. Nunca se descarga por una conexión de uso medido.</translation>
    </message>
    <message>
        <source>Electricity</source>
        <translation>Electricidad</translation>
    </message>
    <message>
        <source>Start and updates</source>
        <translation>Inicio y actualizaciones</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Siempre</translation>
    </message>
    <message>
        <source>As set here</source>
        <translation>Según lo elegido aquí</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nunca</translation>
    </message>
    <message>
        <source>At all hours</source>
        <translation>A todas horas</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausar</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Todas</translation>
    </message>
    <message>
        <source>Unlimited</source>
        <translation>Sin límite</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Desactivado</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Activado</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automático</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Ninguna</translation>
    </message>
</context>
<context>
    <name>PreferencesPage</name>
    <message>
        <source>Search the preferences</source>
        <translation>Buscar en las preferencias</translation>
    </message>
    <message>
        <source>No matching preference</source>
        <translation>Ninguna preferencia coincide</translation>
    </message>
    <message>
        <source>Try another word.</source>
        <translation>Prueba con otra palabra.</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Mostrar todas</translation>
    </message>
</context>
<context>
    <name>Privacy</name>
    <message>
        <source>Other volunteers</source>
        <translation>Otros participantes</translation>
    </message>
    <message>
        <source>The run&apos;s coordinator</source>
        <translation>El coordinador del proyecto</translation>
    </message>
    <message>
        <source>No one</source>
        <translation>Nadie</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU and its memory size), your training speed, the gradients you send, and the user name under which you were admitted.</source>
        <translation>Tu dirección IP, un ID de nodo al azar, tu tipo de hardware (un procesador, o una GPU y su tamaño de memoria), tu velocidad de entrenamiento, los gradientes que envías y el nombre de usuario con el que obtuviste acceso.</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU and its memory size), your training speed, and the gradients you send. They do not see your name.</source>
        <translation>Tu dirección IP, un ID de nodo al azar, tu tipo de hardware (un procesador, o una GPU y su tamaño de memoria), tu velocidad de entrenamiento y los gradientes que envías. No ven tu nombre.</translation>
    </message>
    <message>
        <source>Your user name, the contribution of your computers, and the team you join. The leaderboard, your public page with its picture, and your team&apos;s page show your name unless you hide it. The coordinator receives a proof of identity made for it alone, never your token.</source>
        <translation>Tu nombre de usuario, la contribución de tus ordenadores y el equipo al que te unas. La clasificación, tu página pública con su imagen y la página de tu equipo muestran tu nombre si no lo ocultas. El coordinador recibe una prueba de identidad hecha solo para él, nunca tu token.</translation>
    </message>
    <message>
        <source>The IP address of this computer and its contribution.</source>
        <translation>La dirección IP de este ordenador y su contribución.</translation>
    </message>
    <message>
        <source>Your sign-in, if you sign in. Your token is stored on this computer and sent only to the Hub. Idlebrush also downloads data and files of a run from the Hub if they are stored there.</source>
        <translation>Tu inicio de sesión, si inicias sesión. Tu token se guarda en este ordenador y solo se envía al Hub. Idlebrush también descarga del Hub los datos y archivos de un proyecto si están allí.</translation>
    </message>
    <message>
        <source>Your files, your input and the programs you use. To pause while you use the computer, Idlebrush asks the system for the time of the last input, but not for the input itself. This time and the prompts and pictures in your gallery never leave this computer.</source>
        <translation>Tus archivos, lo que escribes y los programas que usas. Para pausarse mientras usas el ordenador, Idlebrush pregunta al sistema cuándo fue la última entrada, pero no cuál fue. Ese dato y los textos e imágenes de tu galería nunca salen de este ordenador.</translation>
    </message>
</context>
<context>
    <name>PrivacyCard</name>
    <message>
        <source>What others see</source>
        <translation>Lo que ven otros</translation>
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
        <translation>Idlebrush no se está ejecutando en segundo plano</translation>
    </message>
    <message>
        <source>Start it to train and to see the current state.</source>
        <translation>Inícialo para entrenar y ver el estado actual.</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush no responde</translation>
    </message>
    <message>
        <source>Wait a moment. If it still does not answer, restart it.</source>
        <translation>Espera un momento. Si sigue sin responder, reinícialo.</translation>
    </message>
    <message>
        <source>Another version of Idlebrush is still running in the background</source>
        <translation>Aún se ejecuta otra versión de Idlebrush en segundo plano</translation>
    </message>
    <message>
        <source>Restart it to use this version.</source>
        <translation>Reiníciala para usar esta versión.</translation>
    </message>
    <message>
        <source>The run does not let this computer take part</source>
        <translation>El proyecto no deja participar a este ordenador</translation>
    </message>
    <message>
        <source>Idlebrush is already running</source>
        <translation>Idlebrush ya se está ejecutando</translation>
    </message>
    <message>
        <source>Idlebrush can no longer detect whether you are using the computer</source>
        <translation>Idlebrush ya no puede saber si estás usando el ordenador</translation>
    </message>
    <message>
        <source>Start at login could not be changed</source>
        <translation>No se ha podido cambiar la apertura al iniciar sesión</translation>
    </message>
    <message>
        <source>A desktop service does not answer</source>
        <translation>Un servicio del escritorio no responde</translation>
    </message>
    <message>
        <source>A checkpoint of the run cannot be used</source>
        <translation>No se puede usar un punto de control del proyecto</translation>
    </message>
    <message>
        <source>The trainer keeps failing</source>
        <translation>El entrenamiento falla una y otra vez</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is wrong</source>
        <translation>El reloj de este ordenador no está en hora</translation>
    </message>
    <message>
        <source>The run&apos;s image codec cannot be used</source>
        <translation>No se puede usar el códec de imagen del proyecto</translation>
    </message>
    <message>
        <source>The run&apos;s coordinator cannot be reached</source>
        <translation>No se puede contactar con el coordinador del proyecto</translation>
    </message>
    <message>
        <source>The computer cannot be reached</source>
        <translation>No se puede contactar con el ordenador</translation>
    </message>
    <message>
        <source>Idlebrush could not start in the background</source>
        <translation>No se ha podido iniciar Idlebrush en segundo plano</translation>
    </message>
    <message>
        <source>The background service belongs to another user</source>
        <translation>El servicio en segundo plano pertenece a otro usuario</translation>
    </message>
    <message>
        <source>The run&apos;s training data cannot be used</source>
        <translation>No se pueden usar los datos de entrenamiento del proyecto</translation>
    </message>
    <message>
        <source>The display server does not respond correctly</source>
        <translation>El servidor gráfico no responde correctamente</translation>
    </message>
    <message>
        <source>A download failed</source>
        <translation>Una descarga ha fallado</translation>
    </message>
    <message>
        <source>This is not a valid duration</source>
        <translation>No es una duración válida</translation>
    </message>
    <message>
        <source>The folder cannot be used</source>
        <translation>No se puede usar la carpeta</translation>
    </message>
    <message>
        <source>The run did not admit you</source>
        <translation>El proyecto no te ha admitido</translation>
    </message>
    <message>
        <source>The pictures could not be drawn</source>
        <translation>No se han podido dibujar las imágenes</translation>
    </message>
    <message>
        <source>A training step failed and was discarded</source>
        <translation>Un paso de entrenamiento ha fallado y se ha descartado</translation>
    </message>
    <message>
        <source>The Hugging Face Hub cannot be reached</source>
        <translation>No se puede contactar con Hugging Face Hub</translation>
    </message>
    <message>
        <source>This run cannot be joined</source>
        <translation>No es posible unirse a este proyecto</translation>
    </message>
    <message>
        <source>Your system&apos;s keyring does not work</source>
        <translation>El llavero de tu sistema no funciona</translation>
    </message>
    <message>
        <source>Your system&apos;s keyring is locked</source>
        <translation>El llavero de tu sistema está bloqueado</translation>
    </message>
    <message>
        <source>The description of the run cannot be trusted</source>
        <translation>La descripción del proyecto no es de fiar</translation>
    </message>
    <message>
        <source>Your membership of the run has ended</source>
        <translation>Ya no eres miembro del proyecto</translation>
    </message>
    <message>
        <source>The memory for training cannot be planned</source>
        <translation>No se puede planificar la memoria que necesita el entrenamiento</translation>
    </message>
    <message>
        <source>The files of the run do not fit its model</source>
        <translation>Los archivos del proyecto no encajan con su modelo</translation>
    </message>
    <message>
        <source>Your system has no keyring to store the sign-in</source>
        <translation>Tu sistema no tiene un llavero donde guardar la sesión</translation>
    </message>
    <message>
        <source>The NVIDIA driver does not answer</source>
        <translation>El controlador de NVIDIA no responde</translation>
    </message>
    <message>
        <source>No NVIDIA driver is installed</source>
        <translation>No hay ningún controlador de NVIDIA instalado</translation>
    </message>
    <message>
        <source>A part of Idlebrush is not installed</source>
        <translation>Falta instalar una parte de Idlebrush</translation>
    </message>
    <message>
        <source>This preference is not valid</source>
        <translation>Esta preferencia no es válida</translation>
    </message>
    <message>
        <source>Training needs more memory than you allow</source>
        <translation>El entrenamiento necesita más memoria de la que permites</translation>
    </message>
    <message>
        <source>The pictures could not be ranked</source>
        <translation>No se han podido puntuar las imágenes</translation>
    </message>
    <message>
        <source>The other computer cannot be paired or controlled</source>
        <translation>No se puede emparejar o controlar el otro ordenador</translation>
    </message>
    <message>
        <source>A receipt cannot be trusted</source>
        <translation>Un recibo no es de fiar</translation>
    </message>
    <message>
        <source>You are signed out</source>
        <translation>Tu sesión está cerrada</translation>
    </message>
    <message>
        <source>What training needs could not be installed</source>
        <translation>No se pudo instalar lo que necesita el entrenamiento</translation>
    </message>
    <message>
        <source>The run&apos;s computers leave yours out</source>
        <translation>Los ordenadores del proyecto excluyen al tuyo</translation>
    </message>
    <message>
        <source>The sign-in was not completed</source>
        <translation>No se ha completado el inicio de sesión</translation>
    </message>
    <message>
        <source>Idlebrush&apos;s saved data could not be read or written</source>
        <translation>No se han podido leer o guardar los datos de Idlebrush</translation>
    </message>
    <message>
        <source>The record of your contribution cannot be used</source>
        <translation>No se puede usar el historial de tu contribución</translation>
    </message>
    <message>
        <source>The swarm cannot be reached</source>
        <translation>No se puede contactar con el enjambre</translation>
    </message>
    <message>
        <source>The run&apos;s tokenizer cannot be used</source>
        <translation>No se puede usar el tokenizador del proyecto</translation>
    </message>
    <message>
        <source>The new version does not work on this computer</source>
        <translation>La nueva versión no funciona en este ordenador</translation>
    </message>
    <message>
        <source>Idlebrush could not be updated</source>
        <translation>No se pudo actualizar Idlebrush</translation>
    </message>
    <message>
        <source>This computer cannot be kept awake</source>
        <translation>No se puede evitar que este ordenador se suspenda</translation>
    </message>
    <message>
        <source>This run needs a newer version of Idlebrush</source>
        <translation>Este proyecto necesita una versión más reciente de Idlebrush</translation>
    </message>
</context>
<context>
    <name>PromptForm</name>
    <message>
        <source>Prompt</source>
        <translation>Descripción de la imagen</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Dibujar</translation>
    </message>
    <message>
        <source>default</source>
        <translation>predeterminado</translation>
    </message>
    <message>
        <source>random</source>
        <translation>aleatoria</translation>
    </message>
    <message>
        <source>What should the model draw? For example, “{prompt}”</source>
        <extracomment>{prompt} is an example of what the model can draw, in the language of the run.</extracomment>
        <translation>¿Qué debe dibujar el modelo? Por ejemplo, «{prompt}»</translation>
    </message>
    <message>
        <source>What should the model draw?</source>
        <translation>¿Qué debe dibujar el modelo?</translation>
    </message>
    <message>
        <source>More options</source>
        <translation>Más opciones</translation>
    </message>
    <message>
        <source>Fewer options</source>
        <translation>Menos opciones</translation>
    </message>
    <message>
        <source>Pictures to draw</source>
        <translation>Imágenes que dibujar</translation>
    </message>
    <message>
        <source>Pictures to keep</source>
        <translation>Imágenes que guardar</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatura</translation>
    </message>
    <message>
        <source>Lower values give more predictable pictures, higher values more varied ones</source>
        <translation>Los valores bajos dan imágenes más previsibles; los altos, más variadas</translation>
    </message>
    <message>
        <source>Most likely codes</source>
        <translation>Códigos más probables</translation>
    </message>
    <message>
        <source>Each part of a picture is sampled from this many of the most likely codes (top-k)</source>
        <translation>Cada parte de una imagen se elige entre este número de códigos más probables (top-k)</translation>
    </message>
    <message>
        <source>Guidance</source>
        <translation>Guía</translation>
    </message>
    <message>
        <source>Higher values follow the prompt more strictly and vary less; 1 does not guide</source>
        <translation>Los valores altos siguen la descripción con más rigor y varían menos; 1 no guía</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Semilla</translation>
    </message>
    <message>
        <source>The same seed and prompt give the same pictures</source>
        <translation>La misma semilla y el mismo texto dan las mismas imágenes</translation>
    </message>
</context>
<context>
    <name>QrCode</name>
    <message>
        <source>QR code</source>
        <translation>Código QR</translation>
    </message>
</context>
<context>
    <name>Queue</name>
    <message>
        <source>Waiting for its turn</source>
        <translation>Esperando su turno</translation>
    </message>
    <message>
        <source>Being drawn between training steps</source>
        <translation>Se dibuja entre pasos del entrenamiento</translation>
    </message>
    <message>
        <source>Paused together with training</source>
        <translation>En pausa junto con el entrenamiento</translation>
    </message>
    <message>
        <source>Being drawn while the computer is idle</source>
        <translation>Se dibuja mientras el ordenador está inactivo</translation>
    </message>
    <message>
        <source>Being drawn slowly while you use the computer</source>
        <translation>Se dibuja despacio mientras usas el ordenador</translation>
    </message>
    <message>
        <source>Being cancelled</source>
        <translation>Cancelando</translation>
    </message>
    <message numerus="yes">
        <source>%Ln picture(s)</source>
        <translation>
            <numerusform>%Ln imagen</numerusform>
            <numerusform>%Ln imágenes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QueueRow</name>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
</context>
<context>
    <name>QuitDialog</name>
    <message>
        <source>Quit Idlebrush</source>
        <translation>Salir de Idlebrush</translation>
    </message>
    <message>
        <source>Elapsed share of the time limit</source>
        <translation>Parte transcurrida del tiempo máximo</translation>
    </message>
    <message>
        <source>&amp;Remember my answer</source>
        <translation>&amp;Recordar mi respuesta</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Cancelar</translation>
    </message>
    <message>
        <source>&amp;Stop training</source>
        <translation>&amp;Detener entrenamiento</translation>
    </message>
    <message>
        <source>&amp;Keep training</source>
        <translation>&amp;Seguir entrenando</translation>
    </message>
    <message>
        <source>Keep training while Idlebrush is closed?</source>
        <translation>¿Seguir entrenando con Idlebrush cerrado?</translation>
    </message>
    <message>
        <source>This computer continues in the background as your preferences allow. You can see what it did when you open Idlebrush again.</source>
        <translation>Este ordenador sigue en segundo plano según tus preferencias. Verás lo que ha hecho cuando vuelvas a abrir Idlebrush.</translation>
    </message>
    <message>
        <source>Stopping training</source>
        <translation>Deteniendo el entrenamiento</translation>
    </message>
    <message>
        <source>This computer is leaving the swarm. This takes a few seconds.</source>
        <translation>Este ordenador está saliendo del enjambre. Tarda unos segundos.</translation>
    </message>
    <message>
        <source>&amp;Do not wait</source>
        <translation>&amp;No esperar</translation>
    </message>
    <message>
        <source>&amp;Quit anyway</source>
        <translation>Salir de &amp;todos modos</translation>
    </message>
</context>
<context>
    <name>RanksCard</name>
    <message>
        <source>My rank over time</source>
        <translation>La evolución de mi puesto</translation>
    </message>
    <message>
        <source>Your rank is recorded from time to time while this computer trains.</source>
        <translation>Tu puesto se registra de vez en cuando mientras este ordenador entrena.</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Puesto</translation>
    </message>
</context>
<context>
    <name>Reach</name>
    <message>
        <source>Peers with IPv6 connect directly to this computer over IPv6.</source>
        <translation>Los participantes con IPv6 se conectan directamente a este ordenador por IPv6.</translation>
    </message>
    <message>
        <source>Other peers can connect to this computer.</source>
        <translation>Otros participantes pueden conectarse a este ordenador.</translation>
    </message>
    <message>
        <source>Other peers can connect to this computer at a port that its router forwards on request (UPnP or NAT-PMP).</source>
        <translation>Otros participantes pueden conectarse a este ordenador por un puerto que su router redirige a petición (UPnP o NAT-PMP).</translation>
    </message>
    <message>
        <source>Other peers reach this computer through an opening in its router that both sides make (hole punching).</source>
        <translation>Otros participantes llegan a este ordenador a través de una abertura en su router que hacen ambos lados (hole punching).</translation>
    </message>
    <message>
        <source>Other peers reach this computer through a relay alone, so it adds up updates for others and gives newcomers the model&apos;s state only while no peer that is reached better does.</source>
        <translation>Otros participantes llegan a este ordenador solo a través de un relé, así que suma actualizaciones para otros y da el estado del modelo a los recién llegados solo mientras no lo haga un participante al que se llegue mejor.</translation>
    </message>
    <message>
        <source>Other peers cannot connect to this computer, so it connects to them: it still trains, but neither adds up updates for others nor gives newcomers the model&apos;s state.</source>
        <translation>Otros participantes no pueden conectarse a este ordenador, así que él se conecta a ellos: entrena igualmente, pero ni suma actualizaciones para otros ni da el estado del modelo a los recién llegados.</translation>
    </message>
    <message>
        <source>No peer of the run could check whether others can connect to this computer: it still trains, but until one can, it neither adds up updates for others nor gives newcomers the model&apos;s state.</source>
        <translation>Ningún participante del proyecto pudo comprobar si otros pueden conectarse a este ordenador: entrena igualmente, pero hasta que alguno pueda, ni suma actualizaciones para otros ni da el estado del modelo a los recién llegados.</translation>
    </message>
    <message>
        <source>This is checked again every five minutes; if it stays so, tell the run&apos;s organiser.</source>
        <translation>Esto se vuelve a comprobar cada cinco minutos; si sigue así, avisa al organizador del proyecto.</translation>
    </message>
    <message>
        <source>Nothing has to be changed.</source>
        <translation>No hay que cambiar nada.</translation>
    </message>
    <message>
        <source>To help the swarm more, turn on the preference “{preference}”, or forward TCP port {port} to this computer in the router.</source>
        <extracomment>{preference} is the title of a preference.</extracomment>
        <translation>Para ayudar más al enjambre, activa la preferencia «{preference}» o redirige en el router el puerto TCP {port} a este ordenador.</translation>
    </message>
    <message>
        <source>To help the swarm more, forward TCP port {port} to this computer in the router, or allow UPnP or NAT-PMP there.</source>
        <translation>Para ayudar más al enjambre, redirige en el router el puerto TCP {port} a este ordenador o permite allí UPnP o NAT-PMP.</translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message>
        <source>it is outside your training hours until {moment}</source>
        <translation>es fuera de tu horario (se reanuda: {moment})</translation>
    </message>
    <message>
        <source>{programs} fills the screen</source>
        <extracomment>{programs} is the name of a program, or several with commas between them.</extracomment>
        <translation>{programs} a pantalla completa</translation>
    </message>
    <message>
        <source>the exclusive application {programs} is running</source>
        <translation>se está ejecutando la aplicación prioritaria {programs}</translation>
    </message>
    <message>
        <source>{programs} keeps the screen on</source>
        <translation>pantalla encendida por {programs}</translation>
    </message>
    <message>
        <source>this run needs {programs} or newer; this is {version}. Update Idlebrush to continue</source>
        <extracomment>{programs} is such as &quot;Idlebrush 0.3&quot;, {version} is such as &quot;0.1.0&quot;.</extracomment>
        <translation>este proyecto necesita {programs} o posterior; esta es la {version}. Actualiza Idlebrush para continuar</translation>
    </message>
    <message>
        <source>electricity costs more than your limit until {moment}</source>
        <translation>la electricidad cuesta más que tu límite (se reanuda: {moment})</translation>
    </message>
    <message>
        <source>electricity causes more CO2 than your limit until {moment}</source>
        <translation>la electricidad causa más CO2 que tu límite (se reanuda: {moment})</translation>
    </message>
    <message>
        <source>you have not agreed to train yet</source>
        <extracomment>All of these follow &quot;Paused: &quot; or &quot;Slowed to 50%: &quot;, and also stand alone, capitalised.</extracomment>
        <translation>aún no has aceptado entrenar</translation>
    </message>
    <message>
        <source>you chose “Never”</source>
        <translation>has elegido «Nunca»</translation>
    </message>
    <message>
        <source>you paused training</source>
        <translation>has pausado el entrenamiento</translation>
    </message>
    <message>
        <source>you snoozed training</source>
        <translation>has pausado el entrenamiento un rato</translation>
    </message>
    <message>
        <source>a speed test of another run is in progress</source>
        <translation>hay una prueba de velocidad de otro proyecto en curso</translation>
    </message>
    <message>
        <source>this run needs a newer version of Idlebrush</source>
        <translation>este proyecto necesita una versión más reciente de Idlebrush</translation>
    </message>
    <message>
        <source>you are using the computer</source>
        <translation>estás usando el ordenador</translation>
    </message>
    <message>
        <source>an application fills the screen</source>
        <translation>una aplicación ocupa toda la pantalla</translation>
    </message>
    <message>
        <source>one of your exclusive applications is running</source>
        <translation>se está ejecutando una de tus aplicaciones prioritarias</translation>
    </message>
    <message>
        <source>an application keeps the screen on</source>
        <translation>una aplicación mantiene la pantalla encendida</translation>
    </message>
    <message>
        <source>another program needs the GPU memory</source>
        <translation>otro programa necesita la memoria de la GPU</translation>
    </message>
    <message>
        <source>memory is low</source>
        <translation>falta memoria</translation>
    </message>
    <message>
        <source>other programs keep the processor busy</source>
        <translation>otros programas ocupan el procesador</translation>
    </message>
    <message>
        <source>other programs keep the GPU busy</source>
        <translation>otros programas ocupan la GPU</translation>
    </message>
    <message>
        <source>the processor has to cool down</source>
        <translation>el procesador tiene que enfriarse</translation>
    </message>
    <message>
        <source>the GPU has to cool down</source>
        <translation>la GPU tiene que enfriarse</translation>
    </message>
    <message>
        <source>the computer runs on battery</source>
        <translation>el ordenador funciona con batería</translation>
    </message>
    <message>
        <source>the battery is low</source>
        <translation>queda poca batería</translation>
    </message>
    <message>
        <source>it is outside your training hours</source>
        <translation>es fuera de tu horario</translation>
    </message>
    <message>
        <source>electricity costs more than your limit</source>
        <translation>la electricidad cuesta más que tu límite</translation>
    </message>
    <message>
        <source>electricity causes more CO2 than your limit</source>
        <translation>la electricidad causa más CO2 que tu límite</translation>
    </message>
    <message>
        <source>the network connection is metered</source>
        <translation>la conexión de red es de uso medido</translation>
    </message>
    <message>
        <source>this month&apos;s traffic quota is used up</source>
        <translation>se ha agotado la cuota de tráfico de este mes</translation>
    </message>
    <message>
        <source>the disk is nearly full</source>
        <translation>el disco está casi lleno</translation>
    </message>
    <message>
        <source>runs have reached your disk space limit</source>
        <translation>los proyectos han alcanzado tu límite de espacio en disco</translation>
    </message>
    <message>
        <source>the processor is held at its target temperature</source>
        <translation>el procesador se mantiene a su temperatura objetivo</translation>
    </message>
    <message>
        <source>the GPU is held at its target temperature</source>
        <translation>la GPU se mantiene a su temperatura objetivo</translation>
    </message>
    <message>
        <source>the GPU&apos;s power is limited</source>
        <translation>la potencia de la GPU está limitada</translation>
    </message>
    <message>
        <source>you limited training to a share of the time</source>
        <translation>has limitado el entrenamiento a parte del tiempo</translation>
    </message>
</context>
<context>
    <name>RecordsCard</name>
    <message>
        <source>For your records</source>
        <translation>Para tus archivos</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportar</translation>
    </message>
    <message>
        <source>Get signed receipts</source>
        <translation>Obtener recibos firmados</translation>
    </message>
    <message>
        <source>Open my page on the website</source>
        <translation>Abrir mi página en el sitio web</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Compartir</translation>
    </message>
    <message>
        <source>The export has one row per day. The run&apos;s coordinator also signs receipts for your contribution.</source>
        <translation>La exportación tiene una fila por día. El coordinador del proyecto también firma recibos de tu contribución.</translation>
    </message>
    <message>
        <source>The export has one row per day, for a spreadsheet or a program.</source>
        <translation>La exportación tiene una fila por día, para una hoja de cálculo o un programa.</translation>
    </message>
    <message>
        <source>Open my public page</source>
        <translation>Abrir mi página pública</translation>
    </message>
    <message>
        <source>Open a picture to share</source>
        <translation>Abrir una imagen para compartir</translation>
    </message>
    <message>
        <source>For a spreadsheet (CSV)</source>
        <translation>Para una hoja de cálculo (CSV)</translation>
    </message>
    <message>
        <source>For programs (JSON)</source>
        <translation>Para programas (JSON)</translation>
    </message>
    <message>
        <source>Export my contribution</source>
        <translation>Exportar mi contribución</translation>
    </message>
    <message>
        <source>{format} files (*.{ending})</source>
        <translation>Archivos {format} (*.{ending})</translation>
    </message>
    <message>
        <source>Your contribution was saved as {file}</source>
        <translation>Tu contribución se ha guardado como {file}</translation>
    </message>
    <message>
        <source>The file could not be written</source>
        <translation>No se ha podido escribir el archivo</translation>
    </message>
    <message>
        <source>Choose another folder, or free some disk space. The system reports: {why}</source>
        <translation>Elige otra carpeta o libera espacio. Mensaje del sistema: {why}</translation>
    </message>
    <message>
        <source>Downloading and checking the receipts</source>
        <translation>Descargando y comprobando los recibos</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Your signed receipts are saved on this computer</source>
        <translation>Tus recibos firmados se han guardado en este ordenador</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Abrir la carpeta</translation>
    </message>
</context>
<context>
    <name>RunPictures</name>
    <message>
        <source>Save as a moving picture…</source>
        <translation>Guardar como imagen animada…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>Time-lapse to epoch {epoch}</source>
        <translation>Secuencia hasta la época {epoch}</translation>
    </message>
    <message>
        <source>The moving picture is being made</source>
        <translation>Se está creando la imagen animada</translation>
    </message>
    <message>
        <source>The moving picture is saved</source>
        <translation>Imagen animada guardada</translation>
    </message>
    <message>
        <source>The moving picture could not be saved</source>
        <translation>No se ha podido guardar la imagen animada</translation>
    </message>
    <message>
        <source>Nothing here yet</source>
        <translation>Aún no hay nada aquí</translation>
    </message>
    <message>
        <source>Every few epochs, the model makes something of the run&apos;s prompts. It appears here.</source>
        <translation>Cada pocas épocas, el modelo crea algo a partir de los textos del proyecto. Aparece aquí.</translation>
    </message>
    <message>
        <source>Choose a run to watch its model improve here.</source>
        <translation>Elige un proyecto para ver aquí cómo mejora su modelo.</translation>
    </message>
    <message>
        <source>What the model writes</source>
        <translation>Lo que escribe el modelo</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Aún no hay proyecto</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Abrir la carpeta</translation>
    </message>
    <message>
        <source>What the run has made cannot be read</source>
        <translation>No se puede leer lo que ha hecho el proyecto</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Elegir un proyecto</translation>
    </message>
</context>
<context>
    <name>RunScreen</name>
    <message>
        <source>Choose a run</source>
        <translation>Elegir un proyecto</translation>
    </message>
    <message>
        <source>A run is one model that many computers train together, for weeks or months.</source>
        <translation>En un proyecto, muchos ordenadores entrenan juntos un modelo, durante semanas o meses.</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>En este ordenador</translation>
    </message>
    <message>
        <source>A small run for this computer only</source>
        <translation>Un proyecto pequeño solo para este ordenador</translation>
    </message>
    <message>
        <source>From a list</source>
        <translation>De una lista</translation>
    </message>
    <message>
        <source>Runs that others recommend</source>
        <translation>Proyectos que otros recomiendan</translation>
    </message>
    <message>
        <source>From a link</source>
        <translation>Con un enlace</translation>
    </message>
    <message>
        <source>From a run&apos;s website or a friend</source>
        <translation>Del sitio web de un proyecto o de un contacto</translation>
    </message>
    <message>
        <source>From a file</source>
        <translation>Desde un archivo</translation>
    </message>
    <message>
        <source>A run&apos;s description, such as run.toml</source>
        <translation>La descripción de un proyecto, como run.toml</translation>
    </message>
    <message>
        <source>Inspecting the run</source>
        <translation>Consultando el proyecto</translation>
    </message>
    <message>
        <source>Inspecting the run and this computer…</source>
        <translation>Consultando el proyecto y este ordenador…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>This run is too large for this computer</source>
        <translation>Este proyecto es demasiado grande para este ordenador</translation>
    </message>
    <message>
        <source>This computer already trains this run.</source>
        <translation>Este ordenador ya entrena este proyecto.</translation>
    </message>
</context>
<context>
    <name>RunsCard</name>
    <message>
        <source>By run</source>
        <translation>Por proyecto</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Muestras</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Épocas</translation>
    </message>
    <message>
        <source>Computing time</source>
        <translation>Tiempo de cálculo</translation>
    </message>
</context>
<context>
    <name>SaveDialog</name>
    <message>
        <source>Pictures (*{suffix})</source>
        <translation>Imágenes (*{suffix})</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>Guardar imagen</translation>
    </message>
    <message>
        <source>Save as a moving picture</source>
        <translation>Guardar como imagen animada</translation>
    </message>
</context>
<context>
    <name>Screen</name>
    <message>
        <source>Next</source>
        <translation>Siguiente</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Clear the search</source>
        <translation>Borrar la búsqueda</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Saved</source>
        <translation>Guardado</translation>
    </message>
    <message>
        <source>Reset to the default</source>
        <translation>Restablecer el valor predeterminado</translation>
    </message>
    <message>
        <source>Reset “{preference}” to its default</source>
        <translation>Restablecer «{preference}» a su valor predeterminado</translation>
    </message>
    <message>
        <source>{preference}: saved</source>
        <translation>{preference}: guardado</translation>
    </message>
</context>
<context>
    <name>Setup</name>
    <message>
        <source>Cancel the installation?</source>
        <translation>¿Cancelar la instalación?</translation>
    </message>
    <message>
        <source>What was downloaded is removed. This computer does not train until it is installed.</source>
        <translation>Lo que se ha descargado se elimina. Este ordenador no entrena hasta que todo esté instalado.</translation>
    </message>
    <message>
        <source>Cancel it</source>
        <translation>Cancelarla</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Continuar</translation>
    </message>
    <message>
        <source>Restart the computer now?</source>
        <translation>¿Reiniciar el ordenador ahora?</translation>
    </message>
    <message>
        <source>Save your work first. Idlebrush continues by itself after the restart.</source>
        <translation>Guarda antes tu trabajo. Idlebrush continúa por sí solo después del reinicio.</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>Reiniciar ahora</translation>
    </message>
    <message>
        <source>Restart into the firmware’s settings now?</source>
        <translation>¿Reiniciar ahora en la configuración del firmware?</translation>
    </message>
    <message>
        <source>Windows asks an administrator to agree, and restarts at once: save your work first. Turn on Intel VT-x or AMD SVM there, often below “Advanced” or “CPU”, and save. Idlebrush continues by itself after the restart.</source>
        <translation>Windows pide el consentimiento de un administrador y reinicia de inmediato: guarda antes tu trabajo. Activa allí Intel VT-x o AMD SVM, a menudo en «Advanced» o «CPU», y guarda los cambios. Idlebrush continúa por sí solo después del reinicio.</translation>
    </message>
    <message>
        <source>Update WSL now?</source>
        <translation>¿Actualizar WSL ahora?</translation>
    </message>
    <message>
        <source>All Linux systems in WSL are ended for that, also those of other programs: save your work in them first. Windows may ask an administrator to agree. Training continues afterwards.</source>
        <translation>Para ello se cierran todos los sistemas Linux de WSL, también los de otros programas: guarda antes tu trabajo en ellos. Es posible que Windows pida el consentimiento de un administrador. El entrenamiento continúa después.</translation>
    </message>
    <message>
        <source>Update now</source>
        <translation>Actualizar ahora</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Ahora no</translation>
    </message>
    <message>
        <source>Training needs more packages</source>
        <translation>El entrenamiento necesita más paquetes</translation>
    </message>
    <message>
        <source>Finding the packages for this computer…</source>
        <translation>Buscando los paquetes para este ordenador…</translation>
    </message>
    <message>
        <source>The download waits</source>
        <translation>La descarga está en espera</translation>
    </message>
    <message>
        <source>You have paused the download</source>
        <translation>Has pausado la descarga</translation>
    </message>
    <message>
        <source>This Windows is too old for training</source>
        <translation>Este Windows es demasiado antiguo para el entrenamiento</translation>
    </message>
    <message>
        <source>This computer’s virtualisation is turned off</source>
        <translation>La virtualización de este ordenador está desactivada</translation>
    </message>
    <message>
        <source>Training needs a part of Windows that is turned off</source>
        <translation>El entrenamiento necesita una parte de Windows que está desactivada</translation>
    </message>
    <message>
        <source>The computer has to restart</source>
        <translation>Hay que reiniciar el equipo</translation>
    </message>
    <message>
        <source>Training needs more free disk space</source>
        <translation>El entrenamiento necesita más espacio libre en el disco</translation>
    </message>
    <message>
        <source>Virtualisation seems to be turned off</source>
        <translation>La virtualización parece estar desactivada</translation>
    </message>
    <message>
        <source>Training needs it. If turning on WSL does not help, turn on Intel VT-x or AMD SVM in the settings of the computer’s firmware.</source>
        <translation>El entrenamiento la necesita. Si activar WSL no basta, activa Intel VT-x o AMD SVM en la configuración del firmware del ordenador.</translation>
    </message>
    <message>
        <source>The WSL that came with Windows is in use</source>
        <translation>Se usa el WSL que viene con Windows</translation>
    </message>
    <message>
        <source>It gets no corrections any more. Idlebrush can have it updated.</source>
        <translation>Ya no recibe correcciones. Idlebrush puede hacer que se actualice.</translation>
    </message>
    <message>
        <source>NVIDIA’s driver is too old to train on the GPU</source>
        <translation>El controlador de NVIDIA es demasiado antiguo para entrenar con la GPU</translation>
    </message>
    <message>
        <source>This computer would train on its processor. Install NVIDIA’s current driver for Windows.</source>
        <translation>Este ordenador entrenaría con su procesador. Instala el controlador actual de NVIDIA para Windows.</translation>
    </message>
    <message>
        <source>Another person has to agree</source>
        <translation>Otra persona tiene que dar su consentimiento</translation>
    </message>
    <message>
        <source>You do not administer this computer. Have someone who does enter a password when Windows asks for one.</source>
        <translation>No administras este ordenador. Pide a quien lo administra que introduzca una contraseña cuando Windows la solicite.</translation>
    </message>
    <message>
        <source>The download was interrupted</source>
        <translation>La descarga se ha interrumpido</translation>
    </message>
    <message>
        <source>The packages for training could not be installed</source>
        <translation>No se pudieron instalar los paquetes para el entrenamiento</translation>
    </message>
    <message>
        <source>This computer is ready to train</source>
        <translation>Este ordenador está listo para entrenar</translation>
    </message>
    <message>
        <source>Checking this computer</source>
        <translation>Comprobando este equipo</translation>
    </message>
    <message>
        <source>Windows asks for an administrator’s consent</source>
        <translation>Windows pide el consentimiento de un administrador</translation>
    </message>
    <message>
        <source>Downloading Linux for training</source>
        <translation>Descargando Linux para el entrenamiento</translation>
    </message>
    <message>
        <source>Setting up Linux for training</source>
        <translation>Configurando Linux para el entrenamiento</translation>
    </message>
    <message>
        <source>Updating WSL</source>
        <translation>Actualizando WSL</translation>
    </message>
    <message>
        <source>The download waits: {reason}</source>
        <extracomment>{reason} is such as &quot;the network connection is metered&quot;.</extracomment>
        <translation>La descarga está en espera: {reason}</translation>
    </message>
    <message>
        <source>Downloading the packages for training</source>
        <translation>Descargando los paquetes para el entrenamiento</translation>
    </message>
    <message>
        <source>Installing the packages for training</source>
        <translation>Instalando los paquetes para el entrenamiento</translation>
    </message>
    <message>
        <source>Testing the packages on this computer</source>
        <translation>Probando los paquetes en este ordenador</translation>
    </message>
    <message>
        <source>Completing the installation</source>
        <translation>Completando la instalación</translation>
    </message>
    <message>
        <source>Preparing the download</source>
        <translation>Preparando la descarga</translation>
    </message>
    <message>
        <source>PyTorch and the packages that it needs are downloaded once. Idlebrush checks each file, tests the result, and keeps it in its own folder.</source>
        <translation>PyTorch y los paquetes que necesita se descargan una vez. Idlebrush comprueba cada archivo, prueba el resultado y lo guarda en su propia carpeta.</translation>
    </message>
    <message>
        <source>What was downloaded is kept.</source>
        <translation>Lo que se ha descargado se conserva.</translation>
    </message>
    <message>
        <source>The next attempt begins at {moment}. What was downloaded is kept.</source>
        <extracomment>{moment} is a time such as &quot;14:30&quot;.</extracomment>
        <translation>El próximo intento empieza a las {moment}. Lo que se ha descargado se conserva.</translation>
    </message>
    <message>
        <source>It continues in the background, also when this window is closed.</source>
        <translation>Continúa en segundo plano, también si se cierra esta ventana.</translation>
    </message>
    <message>
        <source>All packages for training are installed and tested.</source>
        <translation>Todos los paquetes para el entrenamiento están instalados y probados.</translation>
    </message>
    <message>
        <source>{size}, once</source>
        <translation>{size}, una vez</translation>
    </message>
    <message>
        <source>Up to {size} while it is installed</source>
        <translation>Hasta {size} durante la instalación</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Descarga</translation>
    </message>
    <message>
        <source>Disk space</source>
        <translation>Espacio en disco</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Este ordenador</translation>
    </message>
    <message>
        <source>Training runs in a small Linux of its own, within WSL, a part of Windows. It is removed with Idlebrush.</source>
        <translation>El entrenamiento se ejecuta en un pequeño Linux propio, dentro de WSL, una parte de Windows. Se elimina junto con Idlebrush.</translation>
    </message>
    <message>
        <source>Linux</source>
        <translation>Linux</translation>
    </message>
    <message>
        <source>Not included</source>
        <translation>No incluido</translation>
    </message>
    <message>
        <source>This computer trains on its processor, not on its GPU</source>
        <translation>Este ordenador entrena con su procesador, no con su GPU</translation>
    </message>
    <message>
        <source>Step {done} of {total}</source>
        <translation>Paso {done} de {total}</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <extracomment>Both are sizes, such as &quot;1.2 GB of 2.9 GB&quot;.</extracomment>
        <translation>{done} de {total}</translation>
    </message>
    <message>
        <source>{done} of {total}, about {duration} left</source>
        <extracomment>{duration} is such as &quot;3 min&quot;.</extracomment>
        <translation>{done} de {total}, quedan unos {duration}</translation>
    </message>
    <message>
        <source>Find the packages</source>
        <translation>Buscar los paquetes</translation>
    </message>
    <message>
        <source>Download and install</source>
        <translation>Descargar e instalar</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>Pause the download</source>
        <translation>Pausar la descarga</translation>
    </message>
    <message>
        <source>Continue the download</source>
        <translation>Continuar la descarga</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Comprobar de nuevo</translation>
    </message>
    <message>
        <source>Turn on WSL</source>
        <translation>Activar WSL</translation>
    </message>
    <message>
        <source>Update WSL</source>
        <translation>Actualizar WSL</translation>
    </message>
    <message>
        <source>Restart the computer</source>
        <translation>Reiniciar el ordenador</translation>
    </message>
    <message>
        <source>Restart into the firmware’s settings</source>
        <translation>Reiniciar en la configuración del firmware</translation>
    </message>
    <message>
        <source>How to turn it on</source>
        <translation>Cómo activarla</translation>
    </message>
    <message>
        <source>Open Windows Update</source>
        <translation>Abrir Windows Update</translation>
    </message>
    <message>
        <source>Open the storage settings</source>
        <translation>Abrir la configuración de almacenamiento</translation>
    </message>
    <message>
        <source>Open NVIDIA’s driver page</source>
        <translation>Abrir la página de controladores de NVIDIA</translation>
    </message>
    <message>
        <source>The page could not be opened</source>
        <translation>No se pudo abrir la página</translation>
    </message>
    <message>
        <source>WSL was not updated</source>
        <translation>WSL no se ha actualizado</translation>
    </message>
    <message>
        <source>The computer does not restart</source>
        <translation>El ordenador no se reinicia</translation>
    </message>
</context>
<context>
    <name>SetupPanel</name>
    <message>
        <source>Progress of the installation</source>
        <translation>Progreso de la instalación</translation>
    </message>
</context>
<context>
    <name>SetupScreen</name>
    <message>
        <source>One more download</source>
        <translation>Una descarga más</translation>
    </message>
    <message>
        <source>Training needs large packages that fit this computer. They are not part of the app.</source>
        <translation>El entrenamiento necesita paquetes grandes adecuados para este ordenador. No forman parte de la aplicación.</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Ahora no</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>Instalar</translation>
    </message>
    <message>
        <source>Open Idlebrush</source>
        <translation>Abrir Idlebrush</translation>
    </message>
    <message>
        <source>The installation continues in the background.</source>
        <translation>La instalación continúa en segundo plano.</translation>
    </message>
</context>
<context>
    <name>SignInScreen</name>
    <message>
        <source>Sign in (optional)</source>
        <translation>Iniciar sesión (opcional)</translation>
    </message>
    <message>
        <source>Some runs admit only people with certain accounts on the Hugging Face Hub. Open runs and the run that comes with Idlebrush need no account. You can skip this step and sign in later.</source>
        <translation>Algunos proyectos solo admiten a personas con determinadas cuentas de Hugging Face Hub. Los proyectos abiertos y el que viene con Idlebrush no requieren cuenta. Puedes omitir este paso e iniciar sesión más tarde.</translation>
    </message>
    <message>
        <source>With a code</source>
        <translation>Con un código</translation>
    </message>
    <message>
        <source>With a token</source>
        <translation>Con un token</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Iniciar sesión</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Siguiente</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Omitir</translation>
    </message>
    <message>
        <source>You get a short code and enter it in a browser, here or on your phone. Idlebrush never sees your password. It requests only your user name.</source>
        <translation>Recibes un código corto y lo introduces en un navegador, aquí o en tu teléfono. Idlebrush nunca ve tu contraseña. Solo pide tu nombre de usuario.</translation>
    </message>
    <message>
        <source>Get a code</source>
        <translation>Obtener un código</translation>
    </message>
    <message>
        <source>Sign out</source>
        <translation>Cerrar sesión</translation>
    </message>
    <message>
        <source>Get a new code</source>
        <translation>Obtener otro código</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>Only until Idlebrush quits</source>
        <translation>Solo hasta que se cierre Idlebrush</translation>
    </message>
    <message>
        <source>In a file that only I can read</source>
        <translation>En un archivo que solo yo puedo leer</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot store your sign-in</source>
        <translation>El llavero de este ordenador no puede guardar tu sesión</translation>
    </message>
    <message>
        <source>Unlock the keyring and try again, or store the sign-in elsewhere.</source>
        <translation>Desbloquea el llavero y reinténtalo, o guarda la sesión en otro lugar.</translation>
    </message>
    <message>
        <source>Requesting a code…</source>
        <translation>Pidiendo un código…</translation>
    </message>
    <message>
        <source>Signed in as {name}</source>
        <translation>Sesión iniciada como {name}</translation>
    </message>
</context>
<context>
    <name>SingleApp</name>
    <message>
        <source>Idlebrush is already open, but does not answer.</source>
        <translation>Idlebrush ya está abierto, pero no responde.</translation>
    </message>
    <message>
        <source>Wait a moment. If nothing changes, end process {pid} and start Idlebrush again.</source>
        <translation>Espera un momento. Si sigue igual, finaliza el proceso {pid} y vuelve a abrir Idlebrush.</translation>
    </message>
    <message>
        <source>The file {file} cannot be written.</source>
        <translation>No se puede escribir el archivo {file}.</translation>
    </message>
    <message>
        <source>Free some disk space, or set IDLEBRUSH_HOME to a folder that you can write to.</source>
        <translation>Libera espacio en disco, o indica en IDLEBRUSH_HOME una carpeta en la que puedas escribir.</translation>
    </message>
</context>
<context>
    <name>Snooze</name>
    <message>
        <source>15 minutes</source>
        <translation>15 minutos</translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>1 hora</translation>
    </message>
    <message>
        <source>Until tomorrow</source>
        <translation>Hasta mañana</translation>
    </message>
</context>
<context>
    <name>StatusChip</name>
    <message>
        <source>Not running</source>
        <translation>Detenido</translation>
    </message>
</context>
<context>
    <name>StepIndicator</name>
    <message>
        <source>Step {number} of {of}: {title}</source>
        <extracomment>Where one is in the first run, such as &quot;Step 2 of 5: Sign in&quot;.</extracomment>
        <translation>Paso {number} de {of}: {title}</translation>
    </message>
</context>
<context>
    <name>StreakCard</name>
    <message>
        <source>Days in a row</source>
        <translation>Días seguidos</translation>
    </message>
</context>
<context>
    <name>TeamModel</name>
    <message>
        <source>Rank</source>
        <translation>Puesto</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>Equipo</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Muestras</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Últimos 7 días</translation>
    </message>
    <message>
        <source>Members</source>
        <translation>Miembros</translation>
    </message>
</context>
<context>
    <name>TeamsPanel</name>
    <message>
        <source>Name of a team</source>
        <translation>Nombre de un equipo</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>Unirse</translation>
    </message>
    <message>
        <source>Found a new team</source>
        <translation>Fundar un equipo nuevo</translation>
    </message>
    <message>
        <source>Leave the team</source>
        <translation>Salir del equipo</translation>
    </message>
    <message>
        <source>Leaderboard of teams</source>
        <translation>Clasificación de equipos</translation>
    </message>
    <message>
        <source>Leave {team} and close it?</source>
        <translation>¿Salir de {team} y cerrarlo?</translation>
    </message>
    <message>
        <source>You are the last member: the team is closed and its name cannot be used again.</source>
        <translation>Eres el último miembro: el equipo se cierra y su nombre no puede volver a usarse.</translation>
    </message>
    <message>
        <source>Leave and close</source>
        <translation>Salir y cerrar</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Quedarse</translation>
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
        <translation>¿Cuándo puede entrenar este ordenador?</translation>
    </message>
    <message>
        <source>These defaults suit most computers. You can change them and many other preferences at any time.</source>
        <translation>Estos valores sirven para la mayoría de los ordenadores. Puedes cambiarlos, junto con muchas otras preferencias, en cualquier momento.</translation>
    </message>
    <message>
        <source>When to train</source>
        <translation>Cuándo entrenar</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Entrenar</translation>
    </message>
    <message>
        <source>“Always” also trains while you use the computer.</source>
        <translation>«Siempre» entrena también mientras usas el ordenador.</translation>
    </message>
    <message>
        <source>You are away after</source>
        <translation>Ausente tras</translation>
    </message>
    <message>
        <source>This is the time without keyboard or mouse input. Training stops at once when you come back.</source>
        <translation>Es el tiempo sin usar el teclado ni el ratón. Cuando vuelves, el entrenamiento se detiene al instante.</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>Horario</translation>
    </message>
    <message>
        <source>Hours are in local time.</source>
        <translation>El horario está en hora local.</translation>
    </message>
    <message>
        <source>Heat and noise</source>
        <translation>Calor y ruido</translation>
    </message>
    <message>
        <source>Breaks between steps keep the computer cooler and quieter.</source>
        <translation>Los descansos entre pasos mantienen el ordenador más fresco y silencioso.</translation>
    </message>
    <message>
        <source>Train on battery</source>
        <translation>Entrenar con batería</translation>
    </message>
    <message>
        <source>If this is off, training waits until the computer is plugged in.</source>
        <translation>Si está desactivado, el entrenamiento espera hasta que el ordenador esté enchufado.</translation>
    </message>
    <message>
        <source>Start when I log in</source>
        <translation>Abrir al iniciar sesión</translation>
    </message>
    <message>
        <source>Idlebrush starts in the background, without a window.</source>
        <translation>Idlebrush se abre en segundo plano, sin ventana.</translation>
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
        <translation>Mostrar el token</translation>
    </message>
    <message>
        <source>Check and sign in</source>
        <translation>Comprobar e iniciar sesión</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Comprobando…</translation>
    </message>
    <message>
        <source>Create a token</source>
        <translation>Crear un token</translation>
    </message>
    <message>
        <source>A read-only token is enough. Idlebrush sends it only to the Hugging Face Hub.</source>
        <translation>Basta con un token de solo lectura. Idlebrush solo lo envía a Hugging Face Hub.</translation>
    </message>
    <message>
        <source>Hide the token</source>
        <translation>Ocultar el token</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Open</source>
        <translation>Abrir</translation>
    </message>
</context>
<context>
    <name>TrayMenu</name>
    <message>
        <source>&amp;Open Idlebrush</source>
        <translation>&amp;Abrir Idlebrush</translation>
    </message>
    <message>
        <source>&amp;Finish this epoch</source>
        <translation>&amp;Terminar esta época</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Salir</translation>
    </message>
    <message>
        <source>&amp;Snooze</source>
        <translation>Pausar &amp;un rato</translation>
    </message>
    <message>
        <source>Training &amp;mode</source>
        <translation>Cuándo &amp;entrenar</translation>
    </message>
    <message>
        <source>&amp;Always</source>
        <translation>Sie&amp;mpre</translation>
    </message>
    <message>
        <source>According to my &amp;preferences</source>
        <translation>Según mis &amp;preferencias</translation>
    </message>
    <message>
        <source>&amp;Never</source>
        <translation>&amp;Nunca</translation>
    </message>
    <message>
        <source>&amp;Gallery</source>
        <translation>&amp;Galería</translation>
    </message>
    <message>
        <source>My &amp;contribution</source>
        <translation>Mi &amp;contribución</translation>
    </message>
    <message>
        <source>Pr&amp;eferences</source>
        <translation>Pre&amp;ferencias</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pausar</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Reanudar</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>&amp;Volver a intentar</translation>
    </message>
    <message>
        <source>&amp;Start in the background</source>
        <translation>&amp;Iniciar en segundo plano</translation>
    </message>
    <message>
        <source>&amp;Restart in the background</source>
        <translation>&amp;Reiniciar en segundo plano</translation>
    </message>
    <message>
        <source>&amp;Snoozed until {moment}</source>
        <translation>Se rean&amp;uda: {moment}</translation>
    </message>
</context>
<context>
    <name>Trouble</name>
    <message>
        <source>Idlebrush is starting</source>
        <translation>Idlebrush se está iniciando</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background</source>
        <translation>Idlebrush no se está ejecutando en segundo plano</translation>
    </message>
    <message>
        <source>This computer does not train until you start it.</source>
        <translation>Este ordenador no entrena hasta que lo inicies.</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush no responde</translation>
    </message>
    <message>
        <source>The computer may be very busy. This window shows the last known state.</source>
        <translation>El ordenador puede estar muy ocupado. Esta ventana muestra el último estado conocido.</translation>
    </message>
    <message>
        <source>Another version of Idlebrush is running in the background</source>
        <translation>Se ejecuta otra versión de Idlebrush en segundo plano</translation>
    </message>
    <message>
        <source>Restart it so that both parts have the same version. Training continues afterwards.</source>
        <translation>Reiníciala para que ambas partes tengan la misma versión. El entrenamiento seguirá después.</translation>
    </message>
    <message>
        <source>Idlebrush is running as another user</source>
        <translation>Idlebrush se ejecuta con otro usuario</translation>
    </message>
    <message>
        <source>Idlebrush could not be started</source>
        <translation>No se ha podido iniciar Idlebrush</translation>
    </message>
    <message>
        <source>This computer cannot train yet</source>
        <translation>Este ordenador aún no puede entrenar</translation>
    </message>
    <message>
        <source>The packages for training are not installed.</source>
        <translation>Los paquetes para el entrenamiento no están instalados.</translation>
    </message>
    <message>
        <source>The packages for training could not be installed</source>
        <translation>No se pudieron instalar los paquetes para el entrenamiento</translation>
    </message>
    <message>
        <source>This computer does not train until they are installed.</source>
        <translation>Este ordenador no entrena hasta que estén instalados.</translation>
    </message>
    <message>
        <source>The download of the packages for training is paused</source>
        <translation>La descarga de los paquetes para el entrenamiento está en pausa</translation>
    </message>
    <message>
        <source>This computer does not train until it is complete.</source>
        <translation>Este ordenador no entrena hasta que se complete.</translation>
    </message>
    <message>
        <source>The packages for training are being installed</source>
        <translation>Se están instalando los paquetes para el entrenamiento</translation>
    </message>
    <message>
        <source>The page “Now” shows the progress.</source>
        <translation>La página «Ahora» muestra el progreso.</translation>
    </message>
    <message>
        <source>Start it</source>
        <translation>Iniciar</translation>
    </message>
    <message>
        <source>Restart it</source>
        <translation>Reiniciar</translation>
    </message>
    <message>
        <source>Install them</source>
        <translation>Instalarlos</translation>
    </message>
    <message>
        <source>Continue the download</source>
        <translation>Continuar la descarga</translation>
    </message>
</context>
<context>
    <name>UpdateCard</name>
    <message>
        <source>Updates</source>
        <translation>Actualizaciones</translation>
    </message>
    <message>
        <source>&amp;Install now</source>
        <translation>&amp;Instalar ahora</translation>
    </message>
    <message>
        <source>&amp;Not now</source>
        <translation>A&amp;hora no</translation>
    </message>
    <message>
        <source>&amp;What&apos;s new</source>
        <translation>&amp;Novedades</translation>
    </message>
    <message>
        <source>&amp;Look for updates</source>
        <translation>&amp;Buscar actualizaciones</translation>
    </message>
</context>
<context>
    <name>Updates</name>
    <message>
        <source>Looking for a newer version</source>
        <translation>Se busca una versión más nueva</translation>
    </message>
    <message>
        <source>Idlebrush {version} is available</source>
        <translation>Idlebrush {version} está disponible</translation>
    </message>
    <message>
        <source>Downloading Idlebrush {version}</source>
        <translation>Se descarga Idlebrush {version}</translation>
    </message>
    <message>
        <source>Installing Idlebrush {version}</source>
        <translation>Se instala Idlebrush {version}</translation>
    </message>
    <message>
        <source>Idlebrush {version} did not work on this computer</source>
        <translation>Idlebrush {version} no funcionó en este ordenador</translation>
    </message>
    <message>
        <source>Idlebrush {version} is installed</source>
        <translation>Idlebrush {version} está instalado</translation>
    </message>
    <message>
        <source>The version before it is kept until this one has trained an epoch.</source>
        <translation>La versión anterior se conserva hasta que esta haya entrenado una época.</translation>
    </message>
    <message>
        <source>The version before it is in use again. This one is not tried again.</source>
        <translation>Se usa de nuevo la versión anterior. Esta no se intenta otra vez.</translation>
    </message>
    <message>
        <source>Training continues in a moment.</source>
        <translation>El entrenamiento continúa en un momento.</translation>
    </message>
    <message>
        <source>Updates are turned off in the preferences.</source>
        <translation>Las actualizaciones están desactivadas en las preferencias.</translation>
    </message>
    <message>
        <source>You put it off until tomorrow.</source>
        <translation>La aplazaste hasta mañana.</translation>
    </message>
    <message>
        <source>This version is too old to update itself. Download the new one from the website.</source>
        <translation>Esta versión es demasiado antigua para actualizarse sola. Descarga la nueva del sitio web.</translation>
    </message>
    <message>
        <source>Your system&apos;s package manager installs it.</source>
        <translation>La instala el gestor de paquetes de tu sistema.</translation>
    </message>
    <message>
        <source>Download the new package from the page /join of a run&apos;s website, and install it over this one.</source>
        <translation>Descarga el nuevo paquete de la página /join del sitio web de un proyecto e instálalo sobre este.</translation>
    </message>
    <message>
        <source>It is downloaded once the connection is no longer metered.</source>
        <translation>Se descarga cuando la conexión deje de ser de uso medido.</translation>
    </message>
    <message>
        <source>It is larger than what is left of this month&apos;s traffic quota.</source>
        <translation>Es mayor que lo que queda de la cuota de tráfico de este mes.</translation>
    </message>
    <message>
        <source>It waits until the computer runs on mains power.</source>
        <translation>Espera hasta que el ordenador funcione con la red eléctrica.</translation>
    </message>
    <message>
        <source>It is installed at the next pause of training.</source>
        <translation>Se instala en la próxima pausa del entrenamiento.</translation>
    </message>
    <message>
        <source>It is installed once your pictures, previews and sign-ins are done.</source>
        <translation>Se instala cuando terminen tus imágenes, vistas previas e inicios de sesión.</translation>
    </message>
</context>
<context>
    <name>WeeklyEditor</name>
    <message>
        <source>The first number is for all hours. Others follow with their times, with semicolons between them.</source>
        <translation>El primer número vale para todas las horas. Los demás siguen con su horario, separados por punto y coma.</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Welcome</source>
        <translation>Bienvenida</translation>
    </message>
    <message>
        <source>Get started</source>
        <translation>Empezar</translation>
    </message>
    <message>
        <source>Your computer can help a machine learn to paint</source>
        <translation>Tu ordenador puede ayudar a una máquina a aprender a pintar</translation>
    </message>
    <message>
        <source>While you are away, Idlebrush trains one model together with other people&apos;s computers. The model turns words into pictures, and you can watch it improve.</source>
        <translation>Mientras no estás, Idlebrush entrena un modelo junto con los ordenadores de otras personas. El modelo convierte palabras en imágenes, y puedes ver cómo mejora.</translation>
    </message>
    <message>
        <source>What it will do</source>
        <translation>Lo que hará Idlebrush</translation>
    </message>
    <message>
        <source>What it won&apos;t do</source>
        <translation>Lo que no hará Idlebrush</translation>
    </message>
    <message>
        <source>Pause at once when you use the computer.</source>
        <translation>Pausarse al instante cuando uses el ordenador.</translation>
    </message>
    <message>
        <source>Pause on battery, during games and videos, and when the computer is hot.</source>
        <translation>Pausarse con batería, durante juegos y vídeos, y cuando el ordenador se caliente.</translation>
    </message>
    <message>
        <source>Keep to the limits that you set for heat, noise, memory and bandwidth.</source>
        <translation>Respetar los límites que pongas al calor, al ruido, a la memoria y al ancho de banda.</translation>
    </message>
    <message>
        <source>Train before you agree in step {step}.</source>
        <extracomment>{step} is the number of the step in which the user agrees.</extracomment>
        <translation>Entrenar antes de que lo aceptes en el paso {step}.</translation>
    </message>
    <message>
        <source>Read or send your files. Others see this computer&apos;s Internet address and its speed.</source>
        <translation>Leer o enviar tus archivos. Otros ven la dirección de Internet de este ordenador y su velocidad.</translation>
    </message>
    <message>
        <source>Run programs that others send. The computers exchange only numbers.</source>
        <translation>Ejecutar programas que envíen otros. Los ordenadores intercambian números y nada más.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Idioma</translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>Now</source>
        <translation>Ahora</translation>
    </message>
    <message>
        <source>Gallery</source>
        <translation>Galería</translation>
    </message>
    <message>
        <source>My contribution</source>
        <translation>Mi contribución</translation>
    </message>
    <message>
        <source>Leaderboard</source>
        <translation>Clasificación</translation>
    </message>
    <message>
        <source>My computers</source>
        <translation>Mis ordenadores</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Preferencias</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Registro</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Acerca de</translation>
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
        <translation>Copiar el ID del nodo</translation>
    </message>
    <message>
        <source>Peer ID of this computer</source>
        <translation>ID de nodo de este ordenador</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Copiado</translation>
    </message>
</context>
<context>
    <name>_Pinned</name>
    <message>
        <source>Your row</source>
        <translation>Tu fila</translation>
    </message>
</context>
<context>
    <name>_Tag</name>
    <message>
        <source>Remove {name}</source>
        <translation>Quitar {name}</translation>
    </message>
</context>
</TS>
