/* A stand-in for wsl.exe under Wine: relays its three streams to a Linux process that tests.windows.wsl.service starts.
 *
 * It connects to the port of 127.0.0.1 that the environment variable WSL_STAND_IN names, and sends its command line as
 * one line. What it reads from standard input follows. The service answers in pieces: a byte that names the stream
 * (1, 2; 3 for the exit status), four bytes of length, the lowest first, and the bytes. */
#include <winsock2.h>
#include <windows.h>
#include <stdlib.h>
#include <string.h>

static SOCKET service;

static DWORD WINAPI send_input(LPVOID nothing)
{
    static char buffer[65536];
    HANDLE input = GetStdHandle(STD_INPUT_HANDLE);
    DWORD size;
    while (ReadFile(input, buffer, sizeof buffer, &size, NULL) && size > 0)
        for (DWORD sent = 0; sent < size;) {
            int more = send(service, buffer + sent, (int)(size - sent), 0);
            if (more <= 0)
                return 0;
            sent += (DWORD)more;
        }
    shutdown(service, SD_SEND);
    return 0;
}

static int receive_all(char *target, int size)
{
    for (int got = 0; got < size;) {
        int more = recv(service, target + got, size - got, 0);
        if (more <= 0)
            return 0;
        got += more;
    }
    return 1;
}

static int fail(const char *why)
{
    DWORD written;
    WriteFile(GetStdHandle(STD_ERROR_HANDLE), why, (DWORD)strlen(why), &written, NULL);
    return 255;
}

int main(void)
{
    static char piece[1 << 16];
    WSADATA started;
    struct sockaddr_in address = {0};
    const char *port = getenv("WSL_STAND_IN"), *line = GetCommandLineA();
    if (port == NULL || WSAStartup(MAKEWORD(2, 2), &started) != 0)
        return fail("WSL_STAND_IN names no port.\n");
    service = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    address.sin_family = AF_INET;
    address.sin_port = htons((unsigned short)atoi(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(service, (struct sockaddr *)&address, sizeof address) != 0)
        return fail("The service does not answer.\n");
    send(service, line, (int)strlen(line), 0);
    send(service, "\n", 1, 0);
    CloseHandle(CreateThread(NULL, 0, send_input, NULL, 0, NULL));
    for (unsigned char head[5]; receive_all((char *)head, 5);) {
        DWORD size = head[1] | head[2] << 8 | head[3] << 16 | (DWORD)head[4] << 24, written;
        if (size > sizeof piece || !receive_all(piece, (int)size))
            break;
        if (head[0] == 3)
            ExitProcess((UINT)(unsigned char)piece[0]);
        HANDLE target = GetStdHandle(head[0] == 1 ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
        for (DWORD done = 0; done < size; done += written)
            if (!WriteFile(target, piece + done, size - done, &written, NULL))
                ExitProcess(255);
    }
    return fail("The service has ended.\n");
}
