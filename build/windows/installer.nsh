; An upgrade of an enrolled computer renews the trust in its certificate; one that is not enrolled has none.
!macro customInstall
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
