<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="es_ES">
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
        <source>Waiting: the trainer is being restarted</source>
        <translation>En espera: el entrenamiento se está reiniciando</translation>
    </message>
    <message>
        <source>Waiting: asking the run&apos;s coordinator for admission</source>
        <translation>En espera: se está pidiendo acceso al coordinador del proyecto</translation>
    </message>
    <message>
        <source>Waiting: the run goes on from an earlier checkpoint, which is being downloaded</source>
        <translation>En espera: el proyecto sigue desde un punto de control anterior, que se está descargando</translation>
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
    <name>AlbumCard</name>
    <message>
        <source>Fill in the same words again</source>
        <translation>Volver a poner las mismas palabras</translation>
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
        <source>epoch {epoch}</source>
        <translation>época {epoch}</translation>
    </message>
    <message>
        <source>All were kept, as they could not be ranked. {reason}</source>
        <extracomment>{reason} is a whole English sentence.</extracomment>
        <translation>Se conservan todas, porque no se han podido puntuar. {reason}</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Época</translation>
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
        <source>Likeliest codes</source>
        <translation>Códigos más probables</translation>
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
        <source>When you are signed out, something needs your attention, you reach your best rank, or a run is complete.</source>
        <translation>Cuando se cierra tu sesión, algo requiere tu atención, mejoras tu puesto o termina un proyecto.</translation>
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
        <source>What happens to the app, if the desktop has a tray.</source>
        <translation>Qué hace la aplicación si el escritorio tiene bandeja del sistema.</translation>
    </message>
    <message>
        <source>When the window is closed</source>
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
        <source>What happens to training in the background.</source>
        <translation>Qué pasa con el entrenamiento en segundo plano.</translation>
    </message>
    <message>
        <source>When the app is quit</source>
        <translation>Al salir de la aplicación</translation>
    </message>
</context>
<context>
    <name>Badge</name>
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
        <source>Gave %Ln hour(s) of computing</source>
        <translation>
            <numerusform>Aportar %Ln hora de cálculo</numerusform>
            <numerusform>Aportar %Ln horas de cálculo</numerusform>
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
        <source>A month of nights</source>
        <translation>Un mes de noches</translation>
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
        <source>%Ln value(s) from {start} to {end}; the highest is {high} at {best}. Arrow keys read single values.</source>
        <translation>
            <numerusform>%Ln valor, de {start} a {end}; el más alto es {high}, en {best}. Las flechas del teclado leen cada valor.</numerusform>
            <numerusform>%Ln valores, de {start} a {end}; el más alto es {high}, en {best}. Las flechas del teclado leen cada valor.</numerusform>
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
        <source>Computing</source>
        <translation>Cálculo</translation>
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
    <name>ChartCard</name>
    <message>
        <source>Over time</source>
        <translation>Evolución</translation>
    </message>
    <message>
        <source>What is counted</source>
        <translation>Qué se cuenta</translation>
    </message>
</context>
<context>
    <name>CodePanel</name>
    <message>
        <source>There, enter this code:</source>
        <translation>Allí, introduce este código:</translation>
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
        <source>Go on in your browser, which shows {address}.</source>
        <translation>Continúa en tu navegador, que muestra {address}.</translation>
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
        <source>Cancel</source>
        <translation>Cancelar</translation>
    </message>
    <message>
        <source>Do you agree?</source>
        <translation>¿Estás de acuerdo?</translation>
    </message>
    <message>
        <source>This is what will happen once you do.</source>
        <translation>Esto es lo que pasará cuando aceptes.</translation>
    </message>
    <message>
        <source>I have compared the key {key} with the one that the organiser published.</source>
        <extracomment>{key} is a row of letters and digits.</extracomment>
        <translation>He comparado la clave {key} con la que ha publicado el organizador.</translation>
    </message>
    <message>
        <source>It trains when you are away</source>
        <translation>Entrenará cuando no estés</translation>
    </message>
    <message>
        <source>You are part of the run now</source>
        <translation>Ya formas parte del proyecto</translation>
    </message>
    <message>
        <source>That is all. Idlebrush stays near the clock; open it to see the pictures get better.</source>
        <translation>Eso es todo. Idlebrush se queda junto al reloj; ábrelo para ver cómo mejoran las imágenes.</translation>
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
        <source>Which time</source>
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
        <source>Which runs</source>
        <translation>Qué proyectos</translation>
    </message>
    <message>
        <source>It begins with the first epoch that this computer takes part in.</source>
        <translation>Empieza con la primera época en la que participe este ordenador.</translation>
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
        <source>Since you began</source>
        <translation>Desde que empezaste</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>Cálculo</translation>
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
        <source>Contribute on two days in a row to start a streak.</source>
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
    <name>EmbeddedWay</name>
    <message>
        <source>It learns to draw emoji from their names, in minutes rather than months. Nobody else takes part, and nothing leaves this computer. With so few pictures, the model learns them by heart: it shows how training works, but is of no use beyond that.</source>
        <translation>Un modelo aprende a dibujar emojis a partir de sus nombres, en minutos en lugar de meses. No participa nadie más y nada sale de este ordenador. Con tan pocas imágenes, el modelo se las aprende de memoria: enseña cómo funciona el entrenamiento, pero no sirve para un uso real.</translation>
    </message>
</context>
<context>
    <name>EpochCard</name>
    <message>
        <source>Epoch</source>
        <translation>Época</translation>
    </message>
    <message>
        <source>The swarm&apos;s progress shows up once training has begun.</source>
        <translation>El progreso del enjambre aparecerá cuando empiece el entrenamiento.</translation>
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
    <name>FileWay</name>
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
        <source>Descriptions of runs (*.toml)</source>
        <translation>Descripciones de proyectos (*.toml)</translation>
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
        <source>That is far too long for a token. Copy only the token.</source>
        <translation>Es demasiado largo para ser un token. Copia solo el token.</translation>
    </message>
    <message>
        <source>That contains characters that no token has. Copy only the token.</source>
        <translation>Contiene caracteres que no aparecen en los tokens. Copia solo el token.</translation>
    </message>
    <message>
        <source>Your sign-in is kept in this computer&apos;s keyring.</source>
        <translation>Tu sesión se guarda en el llavero de este ordenador.</translation>
    </message>
    <message>
        <source>Your sign-in is kept until Idlebrush ends.</source>
        <translation>Tu sesión se guarda hasta que se cierre Idlebrush.</translation>
    </message>
    <message>
        <source>Your sign-in is kept in a file that only you can read.</source>
        <translation>Tu sesión se guarda en un archivo que solo tú puedes leer.</translation>
    </message>
    <message>
        <source>This has expired.</source>
        <translation>Ha caducado.</translation>
    </message>
    <message>
        <source>Good for another {time}.</source>
        <extracomment>{time} is such as &quot;9 min 30 s&quot;.</extracomment>
        <translation>Válido durante {time} más.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Proyecto</translation>
    </message>
    <message>
        <source>It takes the place of {title}, which this computer trains now.</source>
        <translation>Sustituye a {title}, que este ordenador entrena ahora.</translation>
    </message>
    <message>
        <source>Instead of</source>
        <translation>En lugar de</translation>
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
        <source>Pause it or leave the run whenever you like, from the icon near the clock.</source>
        <translation>Páusalo o deja el proyecto cuando quieras, desde el icono junto al reloj.</translation>
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
        <source>Downloading the run&apos;s files: {share}, {size} to go.</source>
        <extracomment>{share} is such as &quot;42%&quot;, {size} such as &quot;1.2 GB&quot;.</extracomment>
        <translation>Descargando los archivos del proyecto: {share}, faltan {size}.</translation>
    </message>
    <message>
        <source>Leave this for now?</source>
        <translation>¿Dejarlo por ahora?</translation>
    </message>
    <message>
        <source>Nothing is trained until you join a run. You can do that later, from the window.</source>
        <translation>No se entrena nada hasta que te unas a un proyecto. Puedes hacerlo más tarde, desde la ventana.</translation>
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
        <source>It comes with Idlebrush, and trains on this computer alone.</source>
        <translation>Viene con Idlebrush y se entrena solo en este ordenador.</translation>
    </message>
    <message>
        <source>It has no website; its key is {key}.</source>
        <translation>No tiene sitio web; su clave es {key}.</translation>
    </message>
    <message>
        <source>{where}, with the key {key}</source>
        <extracomment>{where} is a website, {key} a row of letters and digits.</extracomment>
        <translation>{where}, con la clave {key}</translation>
    </message>
    <message>
        <source>Nothing: all of its files are here.</source>
        <translation>Nada: todos sus archivos están aquí.</translation>
    </message>
    <message>
        <source>{size}, once, before it begins.</source>
        <translation>{size}, una sola vez, antes de empezar.</translation>
    </message>
    <message>
        <source>None: there is nobody to exchange anything with.</source>
        <translation>Ninguno: no hay nadie con quien intercambiar nada.</translation>
    </message>
    <message>
        <source>At most about {size} each way in a day without a pause, among 16 computers like this one. You can set limits in the preferences.</source>
        <translation>Como máximo, unos {size} en cada sentido por día sin pausas, entre 16 ordenadores como este. Puedes poner límites en las preferencias.</translation>
    </message>
    <message>
        <source>At most about {size} each way for every step that all take together.</source>
        <translation>Como máximo, unos {size} en cada sentido por cada paso que dan todos juntos.</translation>
    </message>
    <message>
        <source>Nothing. None of your files is read or sent.</source>
        <translation>Nada. No se lee ni se envía ninguno de tus archivos.</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address, how fast it trains, and your user name, which you can hide on the run&apos;s pages. None of your files is read or sent.</source>
        <translation>La dirección de Internet de este ordenador, su velocidad de entrenamiento y tu nombre de usuario, que puedes ocultar en las páginas del proyecto. No se lee ni se envía ninguno de tus archivos.</translation>
    </message>
    <message>
        <source>This computer&apos;s Internet address and how fast it trains, under a random name. None of your files is read or sent.</source>
        <translation>La dirección de Internet de este ordenador y su velocidad de entrenamiento, con un nombre al azar. No se lee ni se envía ninguno de tus archivos.</translation>
    </message>
    <message>
        <source>Loading the run to try it out. On a busy computer that takes a while…</source>
        <translation>Cargando el proyecto para probarlo. En un ordenador ocupado tarda un poco…</translation>
    </message>
    <message>
        <source>This computer is trying the run out…</source>
        <translation>Este ordenador está probando el proyecto…</translation>
    </message>
    <message>
        <source>See how fast this computer is: it tries the run out for a minute.</source>
        <translation>Descubre lo rápido que es este ordenador probando el proyecto durante un minuto.</translation>
    </message>
    <message>
        <source>About {rate} samples an hour. Each step takes {target} from all together.</source>
        <extracomment>{rate} is a number; the model learns from samples: pictures with their descriptions.</extracomment>
        <translation>Unas {rate} muestras por hora. Cada paso necesita {target} entre todos.</translation>
    </message>
    <message>
        <source>This run admits members of {organisation} on the Hugging Face Hub.</source>
        <translation>Este proyecto admite a miembros de {organisation} en Hugging Face Hub.</translation>
    </message>
    <message>
        <source>This run admits people on its organiser&apos;s list.</source>
        <translation>Este proyecto admite a quienes figuran en la lista de su organizador.</translation>
    </message>
    <message>
        <source>This run admits people whom its organiser has invited.</source>
        <translation>Este proyecto admite a quienes su organizador ha invitado.</translation>
    </message>
    <message>
        <source>This run admits anyone who signs in with the Hugging Face Hub.</source>
        <translation>Este proyecto admite a cualquiera que inicie sesión con Hugging Face Hub.</translation>
    </message>
    <message>
        <source>You sign in at {hub}. That proves to {coordinator}, and to nobody else, who you are: the organiser learns your user name, and gets no access to your account.</source>
        <translation>Inicias sesión en {hub}. Eso demuestra quién eres a {coordinator}, y a nadie más: el organizador conoce tu nombre de usuario, pero no accede a tu cuenta.</translation>
    </message>
    <message>
        <source>Idlebrush is not running in the background.</source>
        <translation>Idlebrush no se está ejecutando en segundo plano.</translation>
    </message>
    <message>
        <source>The sign-in is still under way.</source>
        <translation>El inicio de sesión aún está en curso.</translation>
    </message>
    <message>
        <source>Choose a run first.</source>
        <translation>Primero elige un proyecto.</translation>
    </message>
    <message>
        <source>One moment: looking at the run.</source>
        <translation>Un momento: se está consultando el proyecto.</translation>
    </message>
    <message>
        <source>Choose a run that can be joined.</source>
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
        <source>Half of the time, cooler and quieter</source>
        <translation>La mitad del tiempo, más fresco y silencioso</translation>
    </message>
    <message>
        <source>A quarter of the time, hardly noticed</source>
        <translation>Un cuarto del tiempo, casi no se nota</translation>
    </message>
    <message>
        <source>As set: {value}</source>
        <extracomment>{value} is what was set elsewhere, such as &quot;mon-fri 18:00-08:00&quot;.</extracomment>
        <translation>Personalizado: {value}</translation>
    </message>
    <message>
        <source>Whenever your preferences allow it.</source>
        <translation>Siempre que tus preferencias lo permitan.</translation>
    </message>
    <message>
        <source>It always trains, even while you use the computer.</source>
        <translation>Entrena siempre, también mientras usas el ordenador.</translation>
    </message>
    <message>
        <source>It does not train until you allow it.</source>
        <translation>No entrena hasta que se lo permitas.</translation>
    </message>
    <message>
        <source>It trains once nobody has used the computer for {idle}. {hours}.</source>
        <extracomment>{idle} is such as &quot;3 min&quot;; {hours} is such as &quot;At any hour&quot;, &quot;At night&quot;.</extracomment>
        <translation>Entrena cuando nadie ha usado el ordenador durante {idle}. {hours}.</translation>
    </message>
    <message>
        <source>It rests only when the computer gets hot or runs low on battery or memory.</source>
        <translation>Solo se pausa cuando el ordenador se calienta o anda escaso de batería o de memoria.</translation>
    </message>
    <message>
        <source>It trains on battery as well.</source>
        <translation>También entrena con batería.</translation>
    </message>
    <message>
        <source>It rests on battery, during games and videos, and when it gets hot.</source>
        <translation>Se pausa con batería, durante juegos y vídeos, y cuando se calienta.</translation>
    </message>
    <message>
        <source>It computes for at most {share} of the time.</source>
        <extracomment>{share} is such as &quot;50%&quot;.</extracomment>
        <translation>Calcula, como máximo, el {share} del tiempo.</translation>
    </message>
    <message>
        <source>It starts when you log in.</source>
        <translation>Se abre cuando inicias sesión en el ordenador.</translation>
    </message>
    <message>
        <source>It starts when you open Idlebrush.</source>
        <translation>Se pone en marcha cuando abres Idlebrush.</translation>
    </message>
    <message>
        <source>Welcome to Idlebrush</source>
        <translation>Te damos la bienvenida a Idlebrush</translation>
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
        <source>Which pictures</source>
        <translation>Qué imágenes</translation>
    </message>
</context>
<context>
    <name>GatePanel</name>
    <message>
        <source>Only members train this run</source>
        <translation>Solo los miembros entrenan este proyecto</translation>
    </message>
    <message>
        <source>Code of your invitation</source>
        <translation>Código de tu invitación</translation>
    </message>
    <message>
        <source>Sign in with the browser</source>
        <translation>Iniciar sesión con el navegador</translation>
    </message>
    <message>
        <source>Get a code instead</source>
        <translation>Obtener un código en su lugar</translation>
    </message>
    <message>
        <source>You are admitted to this run.</source>
        <translation>Tienes acceso a este proyecto.</translation>
    </message>
    <message>
        <source>Only until Idlebrush ends</source>
        <translation>Solo hasta que se cierre Idlebrush</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot keep your membership</source>
        <translation>El llavero de este ordenador no puede guardar tu acceso</translation>
    </message>
    <message>
        <source>Unlock it and try again, or sign in until Idlebrush ends.</source>
        <translation>Desbloquéalo y reinténtalo, o inicia sesión hasta que se cierre Idlebrush.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Website of the run</source>
        <translation>Sitio web del proyecto</translation>
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
        <source>Idle computers together train a model that draws what it is told to.</source>
        <translation>Ordenadores desocupados entrenan juntos un modelo que dibuja lo que se le pide.</translation>
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
    <name>HoursEditor</name>
    <message>
        <source>Drag to paint, or move with the arrow keys and press Space. Or type the hours into the field.</source>
        <translation>Arrastra para pintar, o muévete con las flechas y pulsa la barra espaciadora. O escribe el horario en el campo.</translation>
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
    <name>KeepingCard</name>
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
        <source>A file with a row for each day. The run&apos;s coordinator also signs receipts for what you gave.</source>
        <translation>Un archivo con una fila por día. El coordinador del proyecto también firma recibos de lo que has aportado.</translation>
    </message>
    <message>
        <source>A file with a row for each day, for a spreadsheet or a program.</source>
        <translation>Un archivo con una fila por día, para una hoja de cálculo o un programa.</translation>
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
        <source>Choose another folder, or free some space. The system says: {why}</source>
        <translation>Elige otra carpeta o libera espacio. El sistema dice: {why}</translation>
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
        <source>Your signed receipts are on this computer</source>
        <translation>Tus recibos firmados están en este ordenador</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Abrir la carpeta</translation>
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
        <source>The picture is on the clipboard</source>
        <translation>La imagen está en el portapapeles</translation>
    </message>
</context>
<context>
    <name>LeaderboardPage</name>
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
        <source>Which time</source>
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
        <source>You are number {rank} of {total}.</source>
        <translation>Ocupas el puesto {rank} de {total}.</translation>
    </message>
    <message>
        <source>Volunteers so far: {total}. Nobody signs in to this run, so it is not known which row is yours.</source>
        <translation>Participantes hasta ahora: {total}. En este proyecto nadie inicia sesión, así que no se sabe qué fila es la tuya.</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Sin conexión</translation>
    </message>
    <message>
        <source>The leaderboard shows up once Idlebrush runs in the background.</source>
        <translation>La clasificación aparecerá cuando Idlebrush se ejecute en segundo plano.</translation>
    </message>
    <message>
        <source>You have not joined a run yet</source>
        <translation>Aún no te has unido a ningún proyecto</translation>
    </message>
    <message>
        <source>Join a run, and see here how your contribution compares.</source>
        <translation>Únete a un proyecto y mira aquí qué lugar ocupa tu contribución.</translation>
    </message>
    <message>
        <source>This run has no leaderboard</source>
        <translation>Este proyecto no tiene clasificación</translation>
    </message>
    <message>
        <source>Its organiser does not count contributions. Yours is counted on this computer: see My contribution.</source>
        <translation>Su organizador no lleva la cuenta. Lo que has aportado se cuenta en este ordenador: consulta «Mi contribución».</translation>
    </message>
    <message>
        <source>Nobody here yet</source>
        <translation>Aún no hay nadie</translation>
    </message>
    <message>
        <source>It begins with the first epoch that somebody takes part in.</source>
        <translation>Empieza con la primera época en la que alguien participe.</translation>
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
        <source>Which licence</source>
        <translation>Qué licencia</translation>
    </message>
    <message>
        <source>Its text</source>
        <translation>Su texto</translation>
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
        <source>The embedded run: where it comes from</source>
        <translation>El proyecto incluido: de dónde procede</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>Bibliotecas</translation>
    </message>
    <message>
        <source>The windows are made with Qt, by the Qt Company and contributors, and with Qt for Python (PySide6). Idlebrush uses both under the GNU Lesser General Public License, version 3. They are separate files beside Idlebrush: you may replace them by versions of your own, and take them apart to find faults in your changes.

The licence: https://www.gnu.org/licenses/lgpl-3.0.html
The sources: https://download.qt.io/official_releases/QtForPython/</source>
        <translation>Las ventanas están hechas con Qt, de The Qt Company y colaboradores, y con Qt for Python (PySide6). Idlebrush usa ambos bajo la licencia GNU Lesser General Public License, versión 3. Son archivos independientes que acompañan a Idlebrush: puedes sustituirlos por versiones propias y desmontarlos para encontrar fallos en tus cambios.

La licencia: https://www.gnu.org/licenses/lgpl-3.0.html
El código fuente: https://download.qt.io/official_releases/QtForPython/</translation>
    </message>
    <message>
        <source>see its package</source>
        <translation>véase su paquete</translation>
    </message>
</context>
<context>
    <name>LineChart</name>
    <message>
        <source>From {first} at {start} to {last} at {end}; the lowest is {low}, the highest {high}. Arrow keys read single values.</source>
        <translation>De {first}, en {start}, a {last}, en {end}; el valor más bajo es {low} y el más alto, {high}. Las flechas del teclado leen cada valor.</translation>
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
        <translation>Enlace del proyecto</translation>
    </message>
    <message>
        <source>Look at it</source>
        <translation>Ver el proyecto</translation>
    </message>
    <message>
        <source>That is not a link to a run: such a link begins with idlebrush: or https://</source>
        <translation>No es un enlace de un proyecto: estos empiezan por idlebrush: o https://</translation>
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
        <source>What happens is recorded here.</source>
        <translation>Aquí se anota lo que ocurre.</translation>
    </message>
    <message>
        <source>Copies the selected lines, or all that are shown</source>
        <translation>Copia las líneas seleccionadas, o todas las que se muestran</translation>
    </message>
    <message>
        <source>The selected lines in full</source>
        <translation>Las líneas seleccionadas, completas</translation>
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
        <source>How the loss falls</source>
        <translation>Cómo baja el error</translation>
    </message>
    <message>
        <source>The curve begins with the swarm&apos;s first epoch.</source>
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
        <source>Now {loss}, at the beginning {first}</source>
        <translation>Ahora {loss}; al principio, {first}</translation>
    </message>
</context>
<context>
    <name>Mosaic</name>
    <message>
        <source>A sunset over the sea, painted in small strokes that come out of noise</source>
        <translation>Una puesta de sol sobre el mar, pintada con pequeñas pinceladas que surgen del ruido</translation>
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
        <source>You are at rank {rank} of {of} in “{run}”.</source>
        <translation>Ocupas el puesto {rank} de {of} en «{run}».</translation>
    </message>
    <message>
        <source>Your best rank so far</source>
        <translation>Tu mejor puesto hasta ahora</translation>
    </message>
    <message>
        <source>“{run}” has done all of its epochs. Have a look at its pictures.</source>
        <translation>«{run}» ha terminado todas sus épocas. Echa un vistazo a sus imágenes.</translation>
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
        <source>Join a run, and this computer helps to teach a model to paint whenever you do not need it.</source>
        <translation>Únete a un proyecto y este ordenador ayudará a enseñar a pintar a un modelo cuando no lo necesites.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Elegir un proyecto</translation>
    </message>
    <message>
        <source>Once Idlebrush runs in the background, you see here what it does.</source>
        <translation>En cuanto Idlebrush se ejecute en segundo plano, verás aquí lo que hace.</translation>
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
</context>
<context>
    <name>NowView</name>
    <message>
        <source>Training waits for data {percent} of the time</source>
        <translation>El entrenamiento espera datos el {percent} del tiempo</translation>
    </message>
    <message>
        <source>The connection, or the limit you set for it, is slower than this computer.</source>
        <translation>La conexión, o el límite que le has puesto, es más lenta que este ordenador.</translation>
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
        <source>Epoch {epoch}</source>
        <translation>Época {epoch}</translation>
    </message>
    <message>
        <source>Epoch {epoch} of {total}</source>
        <translation>Época {epoch} de {total}</translation>
    </message>
    <message>
        <source>About {duration} to go</source>
        <translation>Tiempo restante: aprox. {duration}</translation>
    </message>
    <message>
        <source>The swarm&apos;s pace</source>
        <translation>Ritmo del enjambre</translation>
    </message>
    <message>
        <source>Your pace</source>
        <translation>Tu ritmo</translation>
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
        <source>%Ln request(s) for pictures wait for gaps in training</source>
        <translation>
            <numerusform>%Ln petición de imágenes espera una pausa del entrenamiento</numerusform>
            <numerusform>%Ln peticiones de imágenes esperan una pausa del entrenamiento</numerusform>
        </translation>
    </message>
    <message>
        <source>How this computer trains</source>
        <translation>Cómo entrena este ordenador</translation>
    </message>
    <message numerus="yes">
        <source>On the GPU, %Ln sample(s) at a time: {gpu_memory} of its memory, and {memory} of main memory.</source>
        <translation>
            <numerusform>En la GPU, con %Ln muestra a la vez: {gpu_memory} de su memoria y {memory} de memoria RAM.</numerusform>
            <numerusform>En la GPU, con %Ln muestras a la vez: {gpu_memory} de su memoria y {memory} de memoria RAM.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>On the processor, %Ln sample(s) at a time: {memory} of memory.</source>
        <translation>
            <numerusform>En el procesador, con %Ln muestra a la vez: {memory} de memoria.</numerusform>
            <numerusform>En el procesador, con %Ln muestras a la vez: {memory} de memoria.</numerusform>
        </translation>
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
    <message>
        <source>{preference}: {word}</source>
        <translation>{preference}: {word}</translation>
    </message>
</context>
<context>
    <name>Order</name>
    <message>
        <source>No model can read this.</source>
        <translation>Ningún modelo podría leer esto.</translation>
    </message>
    <message>
        <source>Say in plain words what the picture should show.</source>
        <translation>Di con palabras sencillas qué debe mostrar la imagen.</translation>
    </message>
    <message>
        <source>Say what the pictures should show.</source>
        <translation>Di qué deben mostrar las imágenes.</translation>
    </message>
    <message>
        <source>That is too long. A few words do best.</source>
        <translation>Es demasiado largo. Lo mejor son unas pocas palabras.</translation>
    </message>
</context>
<context>
    <name>Outcome</name>
    <message>
        <source>See how its pictures came about</source>
        <translation>Ver cómo surgieron sus imágenes</translation>
    </message>
    <message>
        <source>All {epochs} epochs are done</source>
        <translation>Se han completado las {epochs} épocas</translation>
    </message>
    <message>
        <source>Thank you: “{run}” was trained by everybody who took part, and you are one of them.</source>
        <translation>Gracias: a «{run}» lo han entrenado entre todos los participantes, y tú has sido uno de ellos.</translation>
    </message>
</context>
<context>
    <name>OwnPictures</name>
    <message>
        <source>Show older pictures</source>
        <translation>Mostrar imágenes anteriores</translation>
    </message>
    <message>
        <source>“{prompt}” is drawn</source>
        <translation>«{prompt}» está dibujado</translation>
    </message>
    <message>
        <source>Nothing drawn yet</source>
        <translation>Aún no se ha dibujado nada</translation>
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
        <source>Choose a run: its model draws what you ask for.</source>
        <translation>Elige un proyecto: su modelo dibuja lo que le pidas.</translation>
    </message>
    <message>
        <source>Choose a run</source>
        <translation>Elegir un proyecto</translation>
    </message>
    <message>
        <source>“{prompt}” could not be drawn</source>
        <translation>No se ha podido dibujar «{prompt}»</translation>
    </message>
    <message>
        <source>Your pictures cannot be read</source>
        <translation>No se pueden leer tus imágenes</translation>
    </message>
</context>
<context>
    <name>Plan</name>
    <message>
        <source>This run needs more memory than this computer can give.</source>
        <translation>Este proyecto necesita más memoria de la que puede dar este ordenador.</translation>
    </message>
    <message>
        <source>Trains on {device} with {gpu_memory} of its memory and {memory} of main memory.</source>
        <extracomment>{gpu_memory} and {memory} are such as &quot;5.2 GB&quot;.</extracomment>
        <translation>Entrena en {device} con {gpu_memory} de su memoria y {memory} de memoria RAM.</translation>
    </message>
    <message>
        <source>Trains on the processor with {memory} of memory.</source>
        <translation>Entrena en el procesador con {memory} de memoria.</translation>
    </message>
    <message>
        <source>16-bit numbers (bfloat16)</source>
        <translation>números de 16 bits (bfloat16)</translation>
    </message>
    <message>
        <source>16-bit numbers (float16)</source>
        <translation>números de 16 bits (float16)</translation>
    </message>
    <message>
        <source>computing intermediate results again instead of keeping them</source>
        <translation>recalcular los resultados intermedios en vez de conservarlos</translation>
    </message>
    <message>
        <source>rebuilding intermediate results backwards instead of keeping them</source>
        <translation>reconstruir hacia atrás los resultados intermedios en vez de conservarlos</translation>
    </message>
    <message>
        <source>computing the loss in parts</source>
        <translation>calcular el error (pérdida) por partes</translation>
    </message>
    <message>
        <source>an 8-bit optimizer</source>
        <translation>un optimizador de 8 bits</translation>
    </message>
    <message>
        <source>the optimizer in main memory</source>
        <translation>el optimizador en la memoria RAM</translation>
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
        <source>Start</source>
        <translation>Inicio</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Entrenar</translation>
    </message>
    <message>
        <source>Hours of the week</source>
        <translation>Horario semanal</translation>
    </message>
    <message>
        <source>Not in use after</source>
        <translation>Se considera sin uso tras</translation>
    </message>
    <message>
        <source>Processor while in use</source>
        <translation>Procesador durante el uso</translation>
    </message>
    <message>
        <source>GPU while in use</source>
        <translation>GPU durante el uso</translation>
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
        <source>Lowest charge</source>
        <translation>Carga mínima</translation>
    </message>
    <message>
        <source>Hottest processor</source>
        <translation>Temperatura máxima del procesador</translation>
    </message>
    <message>
        <source>Hottest GPU</source>
        <translation>Temperatura máxima de la GPU</translation>
    </message>
    <message>
        <source>Processor used by others</source>
        <translation>Procesador usado por otros programas</translation>
    </message>
    <message>
        <source>GPU used by others</source>
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
        <source>Disk for runs</source>
        <translation>Disco para proyectos</translation>
    </message>
    <message>
        <source>Disk left free</source>
        <translation>Disco libre</translation>
    </message>
    <message>
        <source>Memory for training</source>
        <translation>Memoria para entrenar</translation>
    </message>
    <message>
        <source>Memory left free</source>
        <translation>Memoria libre</translation>
    </message>
    <message>
        <source>GPU memory for training</source>
        <translation>Memoria de GPU para entrenar</translation>
    </message>
    <message>
        <source>GPU memory for others</source>
        <translation>Memoria de GPU para otros programas</translation>
    </message>
    <message>
        <source>Stay in memory for</source>
        <translation>Seguir en memoria durante</translation>
    </message>
    <message>
        <source>Free the GPU at every pause</source>
        <translation>Liberar la GPU en cada pausa</translation>
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
        <source>Traffic in a month</source>
        <translation>Tráfico mensual</translation>
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
        <source>“Always” ignores what is only for your convenience, and still respects what protects the computer and your bill: heat, memory, disk, lowest charge, metered connections and the month&apos;s traffic.</source>
        <translation>«Siempre» ignora lo que es por tu comodidad, pero respeta lo que protege el ordenador y tu factura: el calor, la memoria, el disco, la carga mínima, las conexiones de uso medido y el tráfico mensual.</translation>
    </message>
    <message>
        <source>The hours of the week in which to train, in local time.</source>
        <translation>Las horas de la semana en que se entrena, en hora local.</translation>
    </message>
    <message>
        <source>How long keyboard and mouse must stay untouched before the computer counts as not in use.</source>
        <translation>Cuánto tiempo sin que nadie toque el teclado ni el ratón hasta que el ordenador se considera sin uso.</translation>
    </message>
    <message>
        <source>What happens to training on the processor while you use the computer: it pauses, or goes on for this share of the time.</source>
        <translation>Qué hace el entrenamiento en el procesador mientras usas el ordenador: se pausa o sigue durante esta parte del tiempo.</translation>
    </message>
    <message>
        <source>What happens to training on a GPU while you use the computer: it pauses, or goes on for this share of the time.</source>
        <translation>Qué hace el entrenamiento en una GPU mientras usas el ordenador: se pausa o sigue durante esta parte del tiempo.</translation>
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
        <source>Whether training pauses while the computer runs on its battery.</source>
        <translation>Si el entrenamiento se pausa cuando el ordenador funciona con batería.</translation>
    </message>
    <message>
        <source>Training pauses below this charge, where it is allowed on battery.</source>
        <translation>El entrenamiento se pausa por debajo de esta carga, si está permitido con batería.</translation>
    </message>
    <message>
        <source>Pause while the processor is hotter than this, until it has cooled by 5 °C.</source>
        <translation>Pausar cuando el procesador supere esta temperatura, hasta que se enfríe 5&#xa0;°C.</translation>
    </message>
    <message>
        <source>Pause while the GPU is hotter than this, until it has cooled by 5 °C.</source>
        <translation>Pausar cuando la GPU supere esta temperatura, hasta que se enfríe 5&#xa0;°C.</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this of all processor cores.</source>
        <translation>Pausar mientras otros programas usen más de este porcentaje de todos los núcleos del procesador.</translation>
    </message>
    <message>
        <source>Pause while other programs use more than this of the GPU that trains.</source>
        <translation>Pausar mientras otros programas usen más de este porcentaje de la GPU que entrena.</translation>
    </message>
    <message>
        <source>Nothing trains while one of these applications runs. Give the names of their programs.</source>
        <translation>No se entrena nada mientras se ejecute una de estas aplicaciones. Escribe los nombres de sus programas.</translation>
    </message>
    <message>
        <source>Never compute for more than this share of the time. Short breaks between steps make less heat and noise.</source>
        <translation>No calcular nunca durante más de esta parte del tiempo. Los breves descansos entre pasos reducen el calor y el ruido.</translation>
    </message>
    <message>
        <source>How many threads of the processor to train with. Automatic: all cores but one, or four beside a GPU.</source>
        <translation>Con cuántos hilos del procesador se entrena. Automático: todos los núcleos menos uno, o cuatro junto a una GPU.</translation>
    </message>
    <message>
        <source>Which GPUs may train, by their numbers, counted from 0 and separated by commas.</source>
        <translation>Qué GPU pueden entrenar, por sus números, contados desde 0 y separados por comas.</translation>
    </message>
    <message>
        <source>The most that runs may take of the disk.</source>
        <translation>Espacio máximo que los proyectos pueden ocupar en el disco.</translation>
    </message>
    <message>
        <source>Pause while less than this is free on the disk.</source>
        <translation>Pausar cuando quede menos espacio libre que este en el disco.</translation>
    </message>
    <message>
        <source>The most memory (RAM) that training may take.</source>
        <translation>La máxima memoria (RAM) que puede ocupar el entrenamiento.</translation>
    </message>
    <message>
        <source>Give all memory back when less than this is left for other programs.</source>
        <translation>Devolver toda la memoria cuando quede menos que esto para otros programas.</translation>
    </message>
    <message>
        <source>The most GPU memory that training may take.</source>
        <translation>La máxima memoria de GPU que puede ocupar el entrenamiento.</translation>
    </message>
    <message>
        <source>GPU memory kept for other programs. When they need more than that, training ends at once and gives all of its own back.</source>
        <translation>Memoria de GPU reservada para otros programas. Si necesitan más, el entrenamiento termina enseguida y devuelve toda la suya.</translation>
    </message>
    <message>
        <source>How long a pause may last before training gives its memory back.</source>
        <translation>Cuánto puede durar una pausa antes de que el entrenamiento devuelva su memoria.</translation>
    </message>
    <message>
        <source>Give GPU memory back at every pause. Going on then takes longer.</source>
        <translation>Devolver la memoria de la GPU en cada pausa. Reanudar lleva entonces más tiempo.</translation>
    </message>
    <message>
        <source>The fastest that training may send.</source>
        <translation>Velocidad máxima a la que puede enviar el entrenamiento.</translation>
    </message>
    <message>
        <source>The fastest that training may receive.</source>
        <translation>Velocidad máxima a la que puede recibir el entrenamiento.</translation>
    </message>
    <message>
        <source>The most that training may send and receive together in a calendar month.</source>
        <translation>Lo máximo que el entrenamiento puede enviar y recibir en total en un mes natural.</translation>
    </message>
    <message>
        <source>Pause while the connection is metered, such as a phone&apos;s.</source>
        <translation>Pausar cuando la conexión sea de uso medido, como la de un teléfono.</translation>
    </message>
    <message>
        <source>Where other peers reach this computer. Automatic: any port that is free.</source>
        <translation>Puerto por el que otros participantes llegan a este ordenador. Automático: cualquier puerto libre.</translation>
    </message>
    <message>
        <source>Start Idlebrush, in the background, when you log in.</source>
        <translation>Abrir Idlebrush en segundo plano al iniciar sesión en el ordenador.</translation>
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
        <source>No such preference</source>
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
        <source>Nobody</source>
        <translation>Nadie</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU by its memory), how fast you train, the gradients you send, and the user name by which you were admitted.</source>
        <translation>Tu dirección IP, un ID de nodo al azar, tu tipo de hardware (un procesador, o una GPU según su memoria), tu velocidad de entrenamiento, los gradientes que envías y el nombre de usuario con el que obtuviste acceso.</translation>
    </message>
    <message>
        <source>Your IP address, a random peer ID, your kind of hardware (a processor, or a GPU by its memory), how fast you train, and the gradients you send. No name.</source>
        <translation>Tu dirección IP, un ID de nodo al azar, tu tipo de hardware (un procesador, o una GPU según su memoria), tu velocidad de entrenamiento y los gradientes que envías. Ningún nombre.</translation>
    </message>
    <message>
        <source>Your user name and how much your computers do. It is on the leaderboard unless you hide it. The coordinator gets a proof made for it alone, and never your token.</source>
        <translation>Tu nombre de usuario y cuánto hacen tus ordenadores. Aparece en la clasificación salvo que lo ocultes. El coordinador recibe una prueba hecha solo para él, y nunca tu token.</translation>
    </message>
    <message>
        <source>That a computer with your address takes part, and how much it does.</source>
        <translation>Que un ordenador con tu dirección participa, y cuánto hace.</translation>
    </message>
    <message>
        <source>If you sign in: that you did. Your token stays on this computer and goes to nobody but the Hub. Data and files of a run that are kept on the Hub are fetched from there.</source>
        <translation>Si inicias sesión: que lo has hecho. Tu token se queda en este ordenador y solo se envía al Hub. Los datos y archivos de un proyecto que están en el Hub se descargan de allí.</translation>
    </message>
    <message>
        <source>Your files, what you type, which programs you use. To get out of your way, Idlebrush asks the system how long ago there was input, but not which. That, and the prompts and pictures of your gallery, never leave this computer.</source>
        <translation>Tus archivos, lo que escribes y los programas que usas. Para no estorbarte, Idlebrush pregunta al sistema cuánto hace de la última entrada, pero no cuál fue. Eso, y los textos e imágenes de tu galería, nunca salen de este ordenador.</translation>
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
        <source>Start it to train and to see how things stand.</source>
        <translation>Inícialo para entrenar y ver cómo va todo.</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush no responde</translation>
    </message>
    <message>
        <source>Wait a moment. If it stays silent, restart it.</source>
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
        <source>Idlebrush can no longer tell whether you are using the computer</source>
        <translation>Idlebrush ya no puede saber si estás usando el ordenador</translation>
    </message>
    <message>
        <source>Start at login could not be changed</source>
        <translation>No se ha podido cambiar la apertura al iniciar sesión</translation>
    </message>
    <message>
        <source>A service of the desktop does not answer</source>
        <translation>Un servicio del escritorio no responde</translation>
    </message>
    <message>
        <source>A checkpoint of the run cannot be used</source>
        <translation>No se puede usar un punto de control del proyecto</translation>
    </message>
    <message>
        <source>The trainer cannot be kept going</source>
        <translation>No se puede mantener en marcha el entrenamiento</translation>
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
        <source>Idlebrush could not start in the background</source>
        <translation>No se ha podido iniciar Idlebrush en segundo plano</translation>
    </message>
    <message>
        <source>What runs in the background is not yours</source>
        <translation>Lo que se ejecuta en segundo plano no es tuyo</translation>
    </message>
    <message>
        <source>The run&apos;s training data cannot be used</source>
        <translation>No se pueden usar los datos de entrenamiento del proyecto</translation>
    </message>
    <message>
        <source>The display does not answer as it should</source>
        <translation>La pantalla no responde como debería</translation>
    </message>
    <message>
        <source>A download did not succeed</source>
        <translation>Una descarga ha fallado</translation>
    </message>
    <message>
        <source>That is not a length of time</source>
        <translation>Eso no es una duración</translation>
    </message>
    <message>
        <source>The folder cannot be used</source>
        <translation>No se puede usar la carpeta</translation>
    </message>
    <message>
        <source>The run does not let you in</source>
        <translation>El proyecto no te deja entrar</translation>
    </message>
    <message>
        <source>The pictures could not be drawn</source>
        <translation>No se han podido dibujar las imágenes</translation>
    </message>
    <message>
        <source>A training step went wrong, and was not used</source>
        <translation>Un paso de entrenamiento ha fallado y no se ha usado</translation>
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
        <source>The keyring of your system does not work</source>
        <translation>El llavero de tu sistema no funciona</translation>
    </message>
    <message>
        <source>The keyring of your system is locked</source>
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
        <source>The memory that training needs cannot be planned</source>
        <translation>No se puede planificar la memoria que necesita el entrenamiento</translation>
    </message>
    <message>
        <source>Your system has no keyring to keep the sign-in</source>
        <translation>Tu sistema no tiene un llavero donde guardar la sesión</translation>
    </message>
    <message>
        <source>The NVIDIA driver does not answer</source>
        <translation>El controlador de NVIDIA no responde</translation>
    </message>
    <message>
        <source>There is no NVIDIA driver</source>
        <translation>No hay controlador de NVIDIA</translation>
    </message>
    <message>
        <source>This preference cannot be used</source>
        <translation>No se puede usar esta preferencia</translation>
    </message>
    <message>
        <source>The pictures could not be ranked</source>
        <translation>No se han podido puntuar las imágenes</translation>
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
        <source>The sign-in was not completed</source>
        <translation>No se ha completado el inicio de sesión</translation>
    </message>
    <message>
        <source>What Idlebrush remembers could not be read or saved</source>
        <translation>No se ha podido leer o guardar lo que recuerda Idlebrush</translation>
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
</context>
<context>
    <name>PromptForm</name>
    <message>
        <source>What to draw</source>
        <translation>Qué dibujar</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Dibujar</translation>
    </message>
    <message>
        <source>usual</source>
        <translation>la habitual</translation>
    </message>
    <message>
        <source>a new one</source>
        <translation>una nueva</translation>
    </message>
    <message>
        <source>What should it draw? Such as “{prompt}”</source>
        <extracomment>{prompt} is an example of what the model can draw, in the language of the run.</extracomment>
        <translation>¿Qué debe dibujar? Por ejemplo, «{prompt}»</translation>
    </message>
    <message>
        <source>What should it draw?</source>
        <translation>¿Qué debe dibujar?</translation>
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
        <source>Best to keep</source>
        <translation>Mejores que guardar</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatura</translation>
    </message>
    <message>
        <source>Lower is safer, higher more surprising</source>
        <translation>Más baja, más segura; más alta, más sorprendente</translation>
    </message>
    <message>
        <source>Likeliest codes</source>
        <translation>Códigos más probables</translation>
    </message>
    <message>
        <source>Each piece of a picture is chosen from this many of the likeliest codes (top-k)</source>
        <translation>Cada trozo de una imagen se elige entre este número de códigos más probables (top-k)</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Semilla</translation>
    </message>
    <message>
        <source>The same seed and words give the same pictures</source>
        <translation>La misma semilla y las mismas palabras dan las mismas imágenes</translation>
    </message>
</context>
<context>
    <name>ProspectPanel</name>
    <message>
        <source>Trying the run out</source>
        <translation>Probando el proyecto</translation>
    </message>
    <message>
        <source>Measure for a minute</source>
        <translation>Medir durante un minuto</translation>
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
        <source>Measure again</source>
        <translation>Medir otra vez</translation>
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
        <source>Drawn between steps of training</source>
        <translation>Se dibuja entre pasos del entrenamiento</translation>
    </message>
    <message>
        <source>Paused, as training is</source>
        <translation>En pausa, como el entrenamiento</translation>
    </message>
    <message>
        <source>Drawn when nothing else needs the computer</source>
        <translation>Se dibuja cuando nada más necesita el ordenador</translation>
    </message>
    <message>
        <source>Drawn gently while you use the computer</source>
        <translation>Se dibuja con suavidad mientras usas el ordenador</translation>
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
        <source>Time taken, of the longest that it may take</source>
        <translation>Cuánto ha tardado, del máximo que puede tardar</translation>
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
        <source>In the background, this computer goes on as your preferences say, and you see what it did when you come back.</source>
        <translation>En segundo plano, este ordenador sigue según tus preferencias, y a tu vuelta verás lo que ha hecho.</translation>
    </message>
    <message>
        <source>Training stops</source>
        <translation>Deteniendo el entrenamiento</translation>
    </message>
    <message>
        <source>This computer is leaving the swarm. That takes a few seconds.</source>
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
        <source>It is looked up now and then while this computer trains.</source>
        <translation>Se consulta de vez en cuando mientras este ordenador entrena.</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Puesto</translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message>
        <source>your hours allow it again from {moment}</source>
        <translation>fuera de tu horario (se reanuda: {moment})</translation>
    </message>
    <message>
        <source>{programs} fills the screen</source>
        <extracomment>{programs} is the name of a program, or several with commas between them.</extracomment>
        <translation>{programs} a pantalla completa</translation>
    </message>
    <message>
        <source>{programs} must not be disturbed</source>
        <translation>no se debe molestar a {programs}</translation>
    </message>
    <message>
        <source>{programs} keeps the screen on</source>
        <translation>pantalla encendida por {programs}</translation>
    </message>
    <message>
        <source>you have not agreed to train yet</source>
        <extracomment>All of these follow &quot;Paused: &quot; or &quot;Slowed to 50%: &quot;, and also stand alone, capitalised.</extracomment>
        <translation>aún no has aceptado entrenar</translation>
    </message>
    <message>
        <source>you chose never to train</source>
        <translation>has elegido «Nunca»</translation>
    </message>
    <message>
        <source>you paused it until you resume</source>
        <translation>lo has pausado hasta que lo reanudes</translation>
    </message>
    <message>
        <source>you paused it for a while</source>
        <translation>lo has pausado un rato</translation>
    </message>
    <message>
        <source>another run is being tried out</source>
        <translation>se está probando otro proyecto</translation>
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
        <source>another program needs the memory of the GPU</source>
        <translation>otro programa necesita la memoria de la GPU</translation>
    </message>
    <message>
        <source>memory is short</source>
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
        <source>the computer runs on its battery</source>
        <translation>el ordenador funciona con batería</translation>
    </message>
    <message>
        <source>the battery is low</source>
        <translation>queda poca batería</translation>
    </message>
    <message>
        <source>it is outside your hours</source>
        <translation>fuera de tu horario</translation>
    </message>
    <message>
        <source>the network connection is metered</source>
        <translation>la conexión de red es de uso medido</translation>
    </message>
    <message>
        <source>the traffic you allow in a month is used up</source>
        <translation>se ha agotado el tráfico que permites al mes</translation>
    </message>
    <message>
        <source>the disk is nearly full</source>
        <translation>el disco está casi lleno</translation>
    </message>
    <message>
        <source>runs take as much of the disk as you allow</source>
        <translation>los proyectos ocupan todo el disco que permites</translation>
    </message>
    <message>
        <source>you let it compute for only part of the time</source>
        <translation>le permites calcular solo parte del tiempo</translation>
    </message>
</context>
<context>
    <name>Row</name>
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
    <name>RunPictures</name>
    <message>
        <source>Open the folder of the pictures</source>
        <translation>Abrir la carpeta de las imágenes</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Reintentar</translation>
    </message>
    <message>
        <source>The run&apos;s pictures cannot be read</source>
        <translation>No se pueden leer las imágenes del proyecto</translation>
    </message>
    <message>
        <source>No pictures yet</source>
        <translation>Aún no hay imágenes</translation>
    </message>
    <message>
        <source>Every few epochs the model draws the run&apos;s prompts. They will appear here.</source>
        <translation>Cada pocas épocas, el modelo dibuja los textos del proyecto. Las imágenes aparecerán aquí.</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Aún no hay proyecto</translation>
    </message>
    <message>
        <source>Choose a run, and watch its pictures get better here.</source>
        <translation>Elige un proyecto y mira aquí cómo mejoran sus imágenes.</translation>
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
        <source>A small run, to try it out alone</source>
        <translation>Un proyecto pequeño, para probarlo a solas</translation>
    </message>
    <message>
        <source>From a link</source>
        <translation>Con un enlace</translation>
    </message>
    <message>
        <source>From a run&apos;s website, or from a friend</source>
        <translation>Del sitio web de un proyecto, o de un contacto</translation>
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
        <source>Looking at the run</source>
        <translation>Consultando el proyecto</translation>
    </message>
    <message>
        <source>Looking at the run, and at what this computer can give…</source>
        <translation>Consultando el proyecto y lo que puede dar este ordenador…</translation>
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
    <name>SaveDialog</name>
    <message>
        <source>Save picture</source>
        <translation>Guardar imagen</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Imágenes (*.png)</translation>
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
    <name>SignInScreen</name>
    <message>
        <source>Sign in, if you like</source>
        <translation>Inicia sesión, si quieres</translation>
    </message>
    <message>
        <source>Some runs admit only people whom they know by their account on the Hugging Face Hub. Open runs, and the one that comes with Idlebrush, need no account: you can skip this, and sign in later.</source>
        <translation>Algunos proyectos solo admiten a personas identificadas con su cuenta de Hugging Face Hub. Los proyectos abiertos, y el que viene con Idlebrush, no requieren cuenta: puedes omitir este paso e iniciar sesión más tarde.</translation>
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
        <source>You get a short code, and enter it in a browser, here or on your phone. Idlebrush never sees your password, and asks for nothing but your name.</source>
        <translation>Recibes un código corto y lo introduces en un navegador, aquí o en tu teléfono. Idlebrush nunca ve tu contraseña y solo pide tu nombre.</translation>
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
        <source>Only until Idlebrush ends</source>
        <translation>Solo hasta que se cierre Idlebrush</translation>
    </message>
    <message>
        <source>In a file that only I can read</source>
        <translation>En un archivo que solo yo puedo leer</translation>
    </message>
    <message>
        <source>This computer&apos;s keyring cannot keep your sign-in</source>
        <translation>El llavero de este ordenador no puede guardar tu sesión</translation>
    </message>
    <message>
        <source>Unlock it and try again, or choose where else to keep the sign-in.</source>
        <translation>Desbloquéalo y reinténtalo, o elige otro lugar donde guardar la sesión.</translation>
    </message>
    <message>
        <source>Asking for a code…</source>
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
        <source>Wait a moment; if nothing changes, end process {pid} and start Idlebrush again.</source>
        <translation>Espera un momento; si sigue igual, finaliza el proceso {pid} y vuelve a abrirlo.</translation>
    </message>
    <message>
        <source>The file {file} cannot be written.</source>
        <translation>No se puede escribir el archivo {file}.</translation>
    </message>
    <message>
        <source>Free some space, or set IDLEBRUSH_HOME to a folder of yours.</source>
        <translation>Libera espacio, o pon en IDLEBRUSH_HOME una carpeta tuya.</translation>
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
    <name>TimesScreen</name>
    <message>
        <source>When may it train?</source>
        <translation>¿Cuándo puede entrenar?</translation>
    </message>
    <message>
        <source>These are good to begin with. You can change them, and many more, at any time.</source>
        <translation>Estos valores sirven para empezar. Puedes cambiarlos, y muchos más, en cualquier momento.</translation>
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
        <source>“Always” goes on while you use the computer.</source>
        <translation>«Siempre» sigue mientras usas el ordenador.</translation>
    </message>
    <message>
        <source>You are away after</source>
        <translation>Ausente tras</translation>
    </message>
    <message>
        <source>Without touching keyboard or mouse. When you come back, it stops at once.</source>
        <translation>Sin tocar el teclado ni el ratón. Cuando vuelves, se detiene al instante.</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>Horario</translation>
    </message>
    <message>
        <source>In local time.</source>
        <translation>En hora local.</translation>
    </message>
    <message>
        <source>Heat and noise</source>
        <translation>Calor y ruido</translation>
    </message>
    <message>
        <source>With breaks between steps, the computer stays cooler and quieter.</source>
        <translation>Con descansos entre pasos, el ordenador está más fresco y silencioso.</translation>
    </message>
    <message>
        <source>Train on battery</source>
        <translation>Entrenar con batería</translation>
    </message>
    <message>
        <source>Otherwise it waits until the computer is plugged in.</source>
        <translation>Si no, espera hasta que el ordenador esté enchufado.</translation>
    </message>
    <message>
        <source>Start when I log in</source>
        <translation>Abrir al iniciar sesión</translation>
    </message>
    <message>
        <source>In the background, without a window.</source>
        <translation>En segundo plano, sin ventana.</translation>
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
        <source>Check it and sign in</source>
        <translation>Comprobar e iniciar sesión</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Comprobando…</translation>
    </message>
    <message>
        <source>Make a token</source>
        <translation>Crear un token</translation>
    </message>
    <message>
        <source>A read-only token is enough. It goes to the Hugging Face Hub and to nobody else.</source>
        <translation>Basta con un token de solo lectura. Se envía a Hugging Face Hub y a nadie más.</translation>
    </message>
    <message>
        <source>Hide the token</source>
        <translation>Ocultar el token</translation>
    </message>
</context>
<context>
    <name>Tools</name>
    <message>
        <source>Find in the log</source>
        <translation>Buscar en el registro</translation>
    </message>
    <message>
        <source>Follow</source>
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
        <source>Which log</source>
        <translation>Qué registro</translation>
    </message>
    <message>
        <source>Which lines</source>
        <translation>Qué líneas</translation>
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
        <source>As my &amp;preferences say</source>
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
        <source>Idlebrush does not run in the background</source>
        <translation>Idlebrush no se está ejecutando en segundo plano</translation>
    </message>
    <message>
        <source>Nothing is trained until you start it.</source>
        <translation>No se entrena nada hasta que lo inicies.</translation>
    </message>
    <message>
        <source>Idlebrush does not answer</source>
        <translation>Idlebrush no responde</translation>
    </message>
    <message>
        <source>The computer may be very busy. What you see is what it last said.</source>
        <translation>El ordenador puede estar muy ocupado. Lo que ves es lo último que ha comunicado.</translation>
    </message>
    <message>
        <source>Another version of Idlebrush runs in the background</source>
        <translation>Se ejecuta otra versión de Idlebrush en segundo plano</translation>
    </message>
    <message>
        <source>Restart it so that both are the same version. Training goes on after that.</source>
        <translation>Reiníciala para que ambas sean de la misma versión. El entrenamiento seguirá después.</translation>
    </message>
    <message>
        <source>Idlebrush runs as another user</source>
        <translation>Idlebrush se ejecuta con otro usuario</translation>
    </message>
    <message>
        <source>Idlebrush could not be started</source>
        <translation>No se ha podido iniciar Idlebrush</translation>
    </message>
    <message>
        <source>Start it</source>
        <translation>Iniciar</translation>
    </message>
    <message>
        <source>Restart it</source>
        <translation>Reiniciar</translation>
    </message>
</context>
<context>
    <name>Viewer</name>
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
    <name>Welcome</name>
    <message>
        <source>Welcome</source>
        <translation>Bienvenida</translation>
    </message>
    <message>
        <source>Let&apos;s begin</source>
        <translation>Empezar</translation>
    </message>
    <message>
        <source>Your computer can help a machine learn to paint</source>
        <translation>Tu ordenador puede ayudar a una máquina a aprender a pintar</translation>
    </message>
    <message>
        <source>While you are away, Idlebrush trains one model together with other people&apos;s computers. It turns words into pictures, and you can watch it get better.</source>
        <translation>Mientras no estás, Idlebrush entrena un modelo junto con los ordenadores de otras personas. Convierte palabras en imágenes, y puedes ver cómo mejora.</translation>
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
        <source>Give the computer back at once when you return to it.</source>
        <translation>Devolverte el ordenador al instante cuando vuelvas.</translation>
    </message>
    <message>
        <source>Rest on battery, during games and videos, and when the computer gets hot.</source>
        <translation>Pausarse con batería, durante juegos y vídeos, y cuando el ordenador se caliente.</translation>
    </message>
    <message>
        <source>Keep to the limits that you set for heat, noise, memory and bandwidth.</source>
        <translation>Respetar los límites que pongas al calor, al ruido, a la memoria y al ancho de banda.</translation>
    </message>
    <message>
        <source>Train anything before you have agreed to it, at the end of these five steps.</source>
        <translation>Entrenar sin que lo hayas aceptado, al final de estos cinco pasos.</translation>
    </message>
    <message>
        <source>Read or send your files. Others see this computer&apos;s Internet address and its speed.</source>
        <translation>Leer o enviar tus archivos. Otros ven la dirección de Internet de este ordenador y su velocidad.</translation>
    </message>
    <message>
        <source>Run programs that others send. Computers exchange numbers, and nothing else.</source>
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
