<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>AlbumCard</name>
    <message numerus="yes">
        <source>Show %Ln more picture(s)</source>
        <translation>
            <numerusform>Show %Ln more picture</numerusform>
            <numerusform>Show %Ln more pictures</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Albums</name>
    <message numerus="yes">
        <source>%Ln picture(s)</source>
        <translation>
            <numerusform>%Ln picture</numerusform>
            <numerusform>%Ln pictures</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Badges</name>
    <message numerus="yes">
        <source>Trained on %Ln sample(s)</source>
        <translation>
            <numerusform>Trained on %Ln sample</numerusform>
            <numerusform>Trained on %Ln samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Contributed %Ln hour(s) of computing time</source>
        <translation>
            <numerusform>Contributed %Ln hour of computing time</numerusform>
            <numerusform>Contributed %Ln hours of computing time</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Contributed on %Ln day(s) in a row</source>
        <translation>
            <numerusform>Contributed on %Ln day in a row</numerusform>
            <numerusform>Contributed on %Ln days in a row</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Took part in %Ln epoch(s) of the swarm</source>
        <translation>
            <numerusform>Had a part in %Ln epoch of the swarm</numerusform>
            <numerusform>Had a part in %Ln epochs of the swarm</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Trained through %Ln night(s)</source>
        <translation>
            <numerusform>Trained through %Ln night</numerusform>
            <numerusform>Trained through %Ln nights</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BarChart</name>
    <message numerus="yes">
        <source>%Ln value(s) from {start} to {end}. The highest is {high} at {best}. Use the arrow keys to read single values.</source>
        <translation>
            <numerusform>%Ln value from {start} to {end}. The highest is {high} at {best}. Use the arrow keys to read single values.</numerusform>
            <numerusform>%Ln values from {start} to {end}. The highest is {high} at {best}. Use the arrow keys to read single values.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ContributionView</name>
    <message numerus="yes">
        <source>%Ln day(s)</source>
        <translation>
            <numerusform>%Ln day</numerusform>
            <numerusform>%Ln days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s) with a contribution.</source>
        <translation>
            <numerusform>%Ln day with a contribution.</numerusform>
            <numerusform>%Ln days with a contribution.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sample(s)</source>
        <translation>
            <numerusform>%Ln sample</numerusform>
            <numerusform>%Ln samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Your longest streak: %Ln day(s)</source>
        <translation>
            <numerusform>Your longest streak: %Ln day</numerusform>
            <numerusform>Your longest streak: %Ln days</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HiddenChangesNote</name>
    <message numerus="yes">
        <source>%Ln more setting(s) differ from the default</source>
        <translation>
            <numerusform>%Ln more setting differs from the default</numerusform>
            <numerusform>%Ln more settings differ from the default</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LogTools</name>
    <message numerus="yes">
        <source>%Ln line(s)</source>
        <translation>
            <numerusform>%Ln line</numerusform>
            <numerusform>%Ln lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NowView</name>
    <message numerus="yes">
        <source>%Ln request(s) for pictures in the queue</source>
        <translation>
            <numerusform>%Ln request for pictures in the queue</numerusform>
            <numerusform>%Ln requests for pictures in the queue</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>On the GPU with %Ln sample(s) at a time, {gpu_memory} of GPU memory and {memory} of RAM.</source>
        <translation>
            <numerusform>On the GPU with %Ln sample at a time, {gpu_memory} of GPU memory and {memory} of RAM.</numerusform>
            <numerusform>On the GPU with %Ln samples at a time, {gpu_memory} of GPU memory and {memory} of RAM.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>On the processor with %Ln sample(s) at a time and {memory} of RAM.</source>
        <translation>
            <numerusform>On the processor with %Ln sample at a time and {memory} of RAM.</numerusform>
            <numerusform>On the processor with %Ln samples at a time and {memory} of RAM.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Queue</name>
    <message numerus="yes">
        <source>%Ln picture(s)</source>
        <translation>
            <numerusform>%Ln picture</numerusform>
            <numerusform>%Ln pictures</numerusform>
        </translation>
    </message>
</context>
</TS>
