; Installs Idlebrush for one user, without an administrator's rights; upgrades and uninstalls it.
;
; It is compiled in a folder that `installer.windows.build` prepares: tree/, idlebrush.ico, files.nsh, and build.nsh with
; VERSION, VERSION_NUMBERS and INSTALLED_KB. `/S` installs without a window; docs/packaging.md lists the exit statuses.

Target amd64-unicode
Unicode true
!include build.nsh
!include MUI2.nsh
!include LogicLib.nsh
!include WinVer.nsh
!include x64.nsh
!include FileFunc.nsh
!include nsDialogs.nsh

Name "Idlebrush"
OutFile "idlebrush-installer.exe"
InstallDir "$LOCALAPPDATA\Programs\Idlebrush"
RequestExecutionLevel user
!if ${COMPRESSION} == "none"
  SetCompress off
!else
  SetCompressor /SOLID ${COMPRESSION}
!endif
SetDateSave off ; the time of a checkout is no part of the installer: the same commit gives the same bytes
AllowSkipFiles off
ManifestDPIAware true
ManifestSupportedOS Win10
BrandingText "Idlebrush ${VERSION}"
Icon "idlebrush.ico"
UninstallIcon "idlebrush.ico"
VIProductVersion "${VERSION_NUMBERS}"
VIAddVersionKey "ProductName" "Idlebrush"
VIAddVersionKey "FileDescription" "Idlebrush ${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "Apache License 2.0"

!define FIRST_BUILD 17763 ; Windows 10 of October 2018, the first that Qt 6.11 supports
!define STATUS_UNSUPPORTED 10
!define STATUS_IN_USE 11
!define STATUS_BROKEN 12
!define STATUS_NO_SPACE 13
!define STATUS_BESIDE_ANOTHER 14
!define STATUS_NOT_ALL_REMOVED 15
!define STATUS_NOTHING_KEPT 16
!define TRIES 60 ; of half a second each, for programs that are ending
!define ANSWERS 30 ; tries of two seconds each, for a daemon that starts
!define CLASSES "Software\Classes"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Idlebrush"
!define APP_PATH "Software\Microsoft\Windows\CurrentVersion\App Paths\idlebrush.exe"
!define RUN_FILE "Idlebrush.Run"
!define LOGS "$LOCALAPPDATA\idlebrush\Logs"

!define MUI_ICON "idlebrush.ico"
!define MUI_UNICON "idlebrush.ico"
!define MUI_WELCOMEPAGE_TEXT "$(WELCOME)"
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\tree\bin\idlebrush-app.exe"
!insertmacro MUI_PAGE_FINISH
UninstPage custom un.AskAboutData un.TakeAnswer
!insertmacro MUI_UNPAGE_INSTFILES
!include words.nsh

Var Status
Var Text
Var Ran ; "0" if the daemon ran before
Var Tries
Var Left ; "1" if something of the user's could not be removed
Var Back ; version that is put back, by an option of the uninstaller; empty if it uninstalls
Var Purge ; "1" if identity, contribution and pictures go as well
Var PurgeBox

; Appends $Status and $Text to the log.
!macro Log PREFIX
Function ${PREFIX}Log
  CreateDirectory "${LOGS}"
  FileOpen $0 "${LOGS}\setup.log" a
  FileSeek $0 0 END
  ${GetTime} "" "L" $1 $2 $3 $4 $5 $6 $7
  FileWriteUTF16LE /BOM $0 "$3-$2-$1 $5:$6:$7 ${VERSION}, status $Status: $Text$\r$\n"
  FileClose $0
FunctionEnd
!macroend
!insertmacro Log ""
!insertmacro Log "un."

; Reports why nothing was changed, in a window and in the log, and ends with a status; what ran before runs again.
!macro Fail STATUS TEXT
  StrCpy $Status ${STATUS}
  StrCpy $Text "${TEXT}"
  Call Fail
!macroend

Function Fail
  ${If} $Status != ${STATUS_BESIDE_ANOTHER} ; whose files these are
    RMDir /r "$INSTDIR\next"
    RMDir "$INSTDIR" ; only where nothing else is in it
  ${EndIf}
  Call Log
  ${If} $Ran == "0"
  ${AndIf} ${FileExists} "$INSTDIR\tree\bin\idlebrush-app.exe"
    Call StartAgain
  ${EndIf}
  MessageBox MB_OK|MB_ICONSTOP "$Text" /SD IDOK
  SetErrorLevel $Status
  Abort "$Text"
FunctionEnd

!macro StartAgain PREFIX
Function ${PREFIX}StartAgain
  Exec '"$INSTDIR\tree\bin\idlebrush-app.exe" --background'
FunctionEnd
!macroend
!insertmacro StartAgain ""
!insertmacro StartAgain "un."

Function .onInit
  System::Call 'kernel32::CreateMutex(p 0, i 0, t "IdlebrushSetup") p .r1 ?e'
  Pop $0
  ${If} $0 = 183 ; ERROR_ALREADY_EXISTS
    !insertmacro Fail ${STATUS_BESIDE_ANOTHER} "$(BESIDE_ANOTHER)"
  ${EndIf}
  ${IfNot} ${RunningX64}
  ${OrIfNot} ${AtLeastBuild} ${FIRST_BUILD}
    !insertmacro Fail ${STATUS_UNSUPPORTED} "$(UNSUPPORTED)"
  ${EndIf}
  ${GetRoot} "$INSTDIR" $0
  ${DriveSpace} "$0\" "/D=F /S=M" $1
  IntOp $2 ${INSTALLED_KB} / 1024
  ${If} $1 < $2
    !insertmacro Fail ${STATUS_NO_SPACE} "$(NO_SPACE)"
  ${EndIf}
FunctionEnd

Section
  Call Unpack
  Call TryIt
  Call EndWhatRuns
  Call PutInPlace
  ${If} ${Silent}
  ${AndIf} $Ran == "0"
    Call StartAgain
    Call RequireAnswer
  ${Else} ; the daemon that installs a version keeps the one before until the new one has trained
    RMDir /r "$INSTDIR\previous"
  ${EndIf}
  Call Register
SectionEnd

Function Unpack
  RMDir /r "$INSTDIR\next"
  ClearErrors
  !include files.nsh
  ${If} ${Errors}
    !insertmacro Fail ${STATUS_BROKEN} "$(NOT_UNPACKED)"
  ${EndIf}
FunctionEnd

; Imports what app, daemon and tasks consist of, while the version before still stands.
Function TryIt
  SetOutPath "$INSTDIR"
  nsExec::ExecToLog '"$INSTDIR\next\python\python.exe" -P -c "import client.cli, client.daemon, client.task, gui.app"'
  Pop $0
  ${If} $0 != 0
    !insertmacro Fail ${STATUS_BROKEN} "$(DOES_NOT_START)"
  ${EndIf}
FunctionEnd

; Puts into $Ran whether the daemon runs, and ends it with the app.
!macro EndWhatRuns PREFIX
Function ${PREFIX}EndWhatRuns
  StrCpy $Ran "1"
  ${If} ${FileExists} "$INSTDIR\tree\bin\idlebrush.exe"
    nsExec::Exec '"$INSTDIR\tree\bin\idlebrush.exe" status'
    Pop $Ran
    nsExec::ExecToLog '"$INSTDIR\tree\bin\idlebrush.exe" quit --app'
    Pop $0
  ${EndIf}
FunctionEnd
!macroend
!insertmacro EndWhatRuns ""
!insertmacro EndWhatRuns "un."

; Renames the folder of the version in use to $1, and tries until no program holds its files; $Tries is 0 if it failed.
!macro PutAside PREFIX
Function ${PREFIX}PutAside
  StrCpy $Tries ${TRIES}
  ${Do}
    ClearErrors
    Rename "$INSTDIR\tree" "$INSTDIR\$1"
    ${IfNot} ${Errors}
      ${ExitDo}
    ${EndIf}
    Sleep 500
    IntOp $Tries $Tries - 1
  ${LoopUntil} $Tries = 0
FunctionEnd
!macroend
!insertmacro PutAside ""
!insertmacro PutAside "un."

; Renames, so that at each moment one whole version is there.
Function PutInPlace
  RMDir /r "$INSTDIR\previous"
  ${If} ${FileExists} "$INSTDIR\tree\*.*"
    StrCpy $1 "previous"
    Call PutAside
    ${If} $Tries = 0
      !insertmacro Fail ${STATUS_IN_USE} "$(IN_USE)"
    ${EndIf}
  ${EndIf}
  ClearErrors
  Rename "$INSTDIR\next" "$INSTDIR\tree"
  ${If} ${Errors}
    Rename "$INSTDIR\previous" "$INSTDIR\tree"
    !insertmacro Fail ${STATUS_IN_USE} "$(IN_USE)"
  ${EndIf}
FunctionEnd

; Waits until the new version's daemon answers, and else puts the version before back.
Function RequireAnswer
  StrCpy $Tries ${ANSWERS}
  ${Do}
    nsExec::Exec '"$INSTDIR\tree\bin\idlebrush.exe" status'
    Pop $0
    ${If} $0 == "0"
      Return
    ${EndIf}
    Sleep 1000
    IntOp $Tries $Tries - 1
  ${LoopUntil} $Tries = 0
  nsExec::ExecToLog '"$INSTDIR\tree\bin\idlebrush.exe" quit --app'
  Pop $0
  StrCpy $1 "next"
  Call PutAside
  Rename "$INSTDIR\previous" "$INSTDIR\tree"
  !insertmacro Fail ${STATUS_BROKEN} "$(DOES_NOT_START)"
FunctionEnd

!macro OpenWithApp KEY
  WriteRegStr HKCU "${CLASSES}\${KEY}\DefaultIcon" "" '"$INSTDIR\tree\bin\idlebrush-app.exe",0'
  WriteRegStr HKCU "${CLASSES}\${KEY}\shell\open\command" "" '"$INSTDIR\tree\bin\idlebrush-app.exe" open -- "%1"'
!macroend

Function Register
  WriteRegStr HKCU "${CLASSES}\idlebrush" "" "URL:Idlebrush"
  WriteRegStr HKCU "${CLASSES}\idlebrush" "URL Protocol" ""
  !insertmacro OpenWithApp "idlebrush"
  WriteRegStr HKCU "${CLASSES}\${RUN_FILE}" "" "$(RUN_FILE_NAME)"
  !insertmacro OpenWithApp "${RUN_FILE}"
  WriteRegStr HKCU "${CLASSES}\.idlebrush" "" "${RUN_FILE}"
  WriteRegStr HKCU "${CLASSES}\.idlebrush" "Content Type" "application/x-idlebrush-run"
  WriteRegStr HKCU "${APP_PATH}" "" "$INSTDIR\tree\bin\idlebrush.exe"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Idlebrush"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\tree\bin\idlebrush-app.exe"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "Idlebrush"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${INSTALLED_KB}
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  SetOutPath "$INSTDIR\tree\bin" ; where the shortcut starts
  CreateShortcut "$SMPROGRAMS\Idlebrush.lnk" "$INSTDIR\tree\bin\idlebrush-app.exe"
  SetOutPath "$INSTDIR"
  Call TellTheShell
FunctionEnd

!macro TellTheShell PREFIX
Function ${PREFIX}TellTheShell
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)' ; SHCNE_ASSOCCHANGED
FunctionEnd
!macroend
!insertmacro TellTheShell ""
!insertmacro TellTheShell "un."

Function un.onInit
  StrCpy $Purge "0"
  StrCpy $Left "0"
  StrCpy $Back ""
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/BACK=" $Back
  ClearErrors
  ${GetOptions} $0 "/PURGE" $1
  ${IfNot} ${Errors}
    StrCpy $Purge "1"
  ${EndIf}
FunctionEnd

Function un.AskAboutData
  !insertmacro MUI_HEADER_TEXT "$(LEAVING)" "$(LEAVING_DETAIL)"
  nsDialogs::Create 1018
  Pop $0
  ${NSD_CreateLabel} 0 0 100% 40u "$(KEPT)"
  Pop $0
  ${NSD_CreateCheckbox} 0 44u 100% 24u "$(PURGE_TOO)"
  Pop $PurgeBox
  nsDialogs::Show
FunctionEnd

Function un.TakeAnswer
  ${NSD_GetState} $PurgeBox $0
  ${If} $0 = ${BST_CHECKED}
    StrCpy $Purge "1"
  ${EndIf}
FunctionEnd

Section "un.Idlebrush"
  SetOutPath "$TEMP" ; a program's working folder cannot be removed
  ${If} $Back != ""
    Call un.PutBack
    Return
  ${EndIf}
  Call un.Leave
  StrCpy $1 "removed"
  Call un.PutAside
  ${If} ${FileExists} "$INSTDIR\tree\*.*"
    MessageBox MB_OK|MB_ICONSTOP "$(STILL_RUNS)" /SD IDOK
    SetErrorLevel ${STATUS_IN_USE}
    Abort "$(STILL_RUNS)"
  ${EndIf}
  RMDir /r "$INSTDIR\removed"
  RMDir /r "$INSTDIR\next"
  RMDir /r "$INSTDIR\previous"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  RMDir "$LOCALAPPDATA\Programs" ; only where no other program is in it
  Call un.Unregister
  ${If} $Left == "1"
    SetErrorLevel ${STATUS_NOT_ALL_REMOVED}
  ${EndIf}
SectionEnd

; Puts the version $Back in use again, which the last update has kept; the daemon asks for that if training does not
; work in the new one.
Function un.PutBack
  ${IfNot} ${FileExists} "$INSTDIR\previous\*.*"
    StrCpy $Status ${STATUS_NOTHING_KEPT}
    StrCpy $Text "Version $Back is not there."
    Goto Refused
  ${EndIf}
  Call un.EndWhatRuns
  RMDir /r "$INSTDIR\removed"
  StrCpy $1 "removed"
  Call un.PutAside
  ${If} $Tries = 0
    StrCpy $Status ${STATUS_IN_USE}
    StrCpy $Text "$(STILL_RUNS)"
    Call un.StartAgain
    Goto Refused
  ${EndIf}
  Rename "$INSTDIR\previous" "$INSTDIR\tree"
  ${If} ${FileExists} "$INSTDIR\tree\*.*"
    RMDir /r "$INSTDIR\removed"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "$Back"
    StrCpy $Status "0"
    StrCpy $Text "Version $Back is in use again."
    Call un.Log
  ${Else}
    Rename "$INSTDIR\removed" "$INSTDIR\tree"
    StrCpy $Status ${STATUS_IN_USE}
    StrCpy $Text "$(STILL_RUNS)"
    Call un.StartAgain
    Goto Refused
  ${EndIf}
  Call un.StartAgain
  Return
  Refused:
  Call un.Log
  SetErrorLevel $Status
  Abort "$Text"
FunctionEnd

; Ends what runs, and lets Idlebrush itself remove what it has made for this user. Where that fails, the user decides
; whether the program is removed all the same; without a window it is, and the exit status and the log tell.
Function un.Leave
  nsExec::ExecToLog '"$INSTDIR\tree\bin\idlebrush.exe" quit --app'
  Pop $0
  Try:
  Call un.RemoveWhatIsTheUsers
  ${If} $Status == "0"
    Return
  ${EndIf}
  MessageBox MB_ABORTRETRYIGNORE|MB_ICONEXCLAMATION "$(NOT_ALL_REMOVED)$\r$\n$\r$\n$Text" \
    /SD IDIGNORE IDRETRY Try IDIGNORE GoOn
  SetErrorLevel ${STATUS_NOT_ALL_REMOVED}
  Abort "$Text"
  GoOn:
  StrCpy $Left "1"
  StrCpy $Status ${STATUS_NOT_ALL_REMOVED}
  Call un.Log
FunctionEnd

; Puts the exit status of `idlebrush uninstall` into $Status, and what it has told into $Text.
Function un.RemoveWhatIsTheUsers
  StrCpy $1 "--keep"
  ${If} $Purge == "1"
    StrCpy $1 "--purge"
  ${EndIf}
  StrCpy $Text ""
  nsExec::ExecToStack '"$INSTDIR\tree\bin\idlebrush.exe" uninstall $1'
  Pop $Status
  ${If} $Status != "error" ; which means that it could not be started, and told nothing
    Pop $Text
    DetailPrint "$Text"
  ${EndIf}
FunctionEnd

Function un.Unregister
  Delete "$SMPROGRAMS\Idlebrush.lnk"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey /ifempty HKCU "Software\Microsoft\Windows\CurrentVersion\Uninstall"
  DeleteRegKey HKCU "${APP_PATH}"
  DeleteRegKey /ifempty HKCU "Software\Microsoft\Windows\CurrentVersion\App Paths"
  DeleteRegKey HKCU "${CLASSES}\idlebrush"
  DeleteRegKey HKCU "${CLASSES}\${RUN_FILE}"
  ReadRegStr $0 HKCU "${CLASSES}\.idlebrush" ""
  ${If} $0 == "${RUN_FILE}" ; another program may have taken these files over
    DeleteRegKey HKCU "${CLASSES}\.idlebrush"
  ${EndIf}
  Call un.TellTheShell
FunctionEnd
