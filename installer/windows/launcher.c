/* Starts the client by the Python of its own tree: idlebrush.exe in a terminal, idlebrush-app.exe without one.
 *
 * It is a program of its own because browsers and the Task Manager show the name and the icon of the program that a
 * link starts. It is compiled twice, once with WINDOWLESS.
 */
#include <wchar.h>
#include <windows.h>

#define LONGEST 32768 /* characters of a path or a command line, by Windows' own limit */
#ifdef WINDOWLESS
#define PYTHON L"pythonw.exe"
#else
#define PYTHON L"python.exe"
#endif

static wchar_t tree[LONGEST], python[LONGEST], command[LONGEST];

static int fail(const wchar_t *what)
{
    wchar_t text[512];
    swprintf(text, 512, L"%ls (Windows error %lu). Install Idlebrush again.", what, GetLastError());
#ifdef WINDOWLESS
    MessageBoxW(NULL, text, L"Idlebrush", MB_ICONERROR);
#else
    fwprintf(stderr, L"%ls\n", text);
#endif
    return 2;
}

/* Write the folder two levels above this program into `tree`. */
static int find_tree(void)
{
    DWORD length = GetModuleFileNameW(NULL, tree, LONGEST);
    if (length == 0 || length >= LONGEST)
        return 0;
    for (int level = 0; level < 2; level++) {
        wchar_t *last = wcsrchr(tree, L'\\');
        if (last == NULL)
            return 0;
        *last = L'\0';
    }
    return 1;
}

/* Return the command line after the name of this program, quoted as it was given. */
static const wchar_t *arguments(void)
{
    const wchar_t *rest = GetCommandLineW();
    int quoted = 0;
    for (; *rest != L'\0' && (quoted || (*rest != L' ' && *rest != L'\t')); rest++)
        if (*rest == L'"')
            quoted = !quoted;
    return rest;
}

#ifdef WINDOWLESS
/* Leave Python to itself: the app has a window of its own. */
static DWORD follow(PROCESS_INFORMATION *started)
{
    ResumeThread(started->hThread);
    return 0;
}
#else
/* Let Ctrl-C and the closing of the terminal end Python alone; this program then ends with its exit status. */
static BOOL WINAPI leave_to_python(DWORD event)
{
    (void)event;
    return TRUE;
}

/* End Python if this program is killed, but nothing that Python has started, such as the daemon. */
static void tie(HANDLE process)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    HANDLE job = CreateJobObjectW(NULL, NULL);
    limits.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK;
    if (job != NULL && SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits))
        AssignProcessToJobObject(job, process);
}

/* Let Python run to its end, and return its exit status. */
static DWORD follow(PROCESS_INFORMATION *started)
{
    DWORD status = 0;
    SetConsoleCtrlHandler(leave_to_python, TRUE);
    tie(started->hProcess);
    ResumeThread(started->hThread);
    WaitForSingleObject(started->hProcess, INFINITE);
    GetExitCodeProcess(started->hProcess, &status);
    return status;
}
#endif

static int start(PROCESS_INFORMATION *started)
{
    STARTUPINFOW own;
    GetStartupInfoW(&own);
    return CreateProcessW(python, command, NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL, &own, started);
}

static int run(void)
{
    PROCESS_INFORMATION started;
    if (!find_tree())
        return fail(L"The folder of Idlebrush cannot be found");
    if (swprintf(python, LONGEST, L"%ls\\python\\" PYTHON, tree) < 0)
        return fail(L"The path of Idlebrush is too long");
    if (swprintf(command, LONGEST, L"\"%ls\" -P -m client.cli%ls", python, arguments()) < 0)
        return fail(L"The command line is too long");
    if (!start(&started))
        return fail(L"Idlebrush cannot be started");
    return (int)follow(&started);
}

#ifdef WINDOWLESS
int WINAPI wWinMain(HINSTANCE instance, HINSTANCE previous, PWSTR line, int show)
{
    (void)instance, (void)previous, (void)line, (void)show;
    return run();
}
#else
int wmain(void)
{
    return run();
}
#endif
