; The folder of managed.json. Ordinary users may make folders below ProgramData, so the installer makes this one: it
; belongs to administrators, and all others only read. What lay in it keeps its owner, which the agent checks.
!macro protectManagedFolder
  SetShellVarContext all
  StrCpy $1 "$APPDATA\Content Security Agent"
  CreateDirectory "$1"
  nsExec::ExecToLog '"$SYSDIR\icacls.exe" "$1" /setowner *S-1-5-32-544'
  Pop $0
  nsExec::ExecToLog '"$SYSDIR\icacls.exe" "$1" /reset'
  Pop $0
  nsExec::ExecToLog '"$SYSDIR\icacls.exe" "$1" /inheritance:r /grant:r *S-1-5-32-544:(OI)(CI)F *S-1-5-18:(OI)(CI)F *S-1-5-32-545:(OI)(CI)RX'
  Pop $0
!macroend

; An upgrade of an enrolled computer renews the trust in its certificate; one that is not enrolled has none.
!macro customInstall
  !insertmacro protectManagedFolder
  nsExec::ExecToLog '"$INSTDIR\resources\node\node.exe" "$INSTDIR\resources\agent\src\agent\cli.js" ca install'
  Pop $0
!macroend

; The proxy setting, the certificate and the credential go before the program that knows of them.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    nsExec::ExecToLog '"$INSTDIR\resources\node\node.exe" "$INSTDIR\resources\agent\src\agent\cli.js" unenroll'
    Pop $0
  ${endIf}
!macroend
