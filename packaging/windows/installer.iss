; An installer for Windows from the bundle, by Inno Setup 6; packaging\windows\build.ps1 calls it. Not tried yet.

#ifndef Version
  #error Version is missing: iscc /DVersion=0.1.0 installer.iss
#endif

[Setup]
AppId=spatial-workbench
AppName=Spatial Workbench
AppVersion={#Version}
AppVerName=Spatial Workbench {#Version}
DefaultDirName={autopf}\Spatial Workbench
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
LicenseFile=..\..\LICENSE
SetupIconFile=..\..\build\spatial-workbench.ico
UninstallDisplayIcon={app}\spatial-workbench.exe
OutputDir=..\..\dist
OutputBaseFilename=spatial-workbench-{#Version}-windows
Compression=lzma2
SolidCompression=yes

[Files]
Source: "..\..\dist\spatial-workbench\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{autoprograms}\Spatial Workbench"; Filename: "{app}\spatial-workbench.exe"

[Registry]
Root: HKA; Subkey: "Software\Classes\.workbench"; ValueType: string; ValueData: "SpatialWorkbench.Project"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\SpatialWorkbench.Project"; ValueType: string; ValueData: "Spatial Workbench project"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\SpatialWorkbench.Project\DefaultIcon"; ValueType: string; ValueData: "{app}\spatial-workbench.exe,0"
Root: HKA; Subkey: "Software\Classes\SpatialWorkbench.Project\shell\open\command"; ValueType: string; ValueData: """{app}\spatial-workbench.exe"" ""%1"""
Root: HKA; Subkey: "Software\Classes\.study"; ValueType: string; ValueData: "SpatialWorkbench.Study"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\SpatialWorkbench.Study"; ValueType: string; ValueData: "Spatial Workbench study"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\SpatialWorkbench.Study\DefaultIcon"; ValueType: string; ValueData: "{app}\spatial-workbench.exe,0"
Root: HKA; Subkey: "Software\Classes\SpatialWorkbench.Study\shell\open\command"; ValueType: string; ValueData: """{app}\spatial-workbench.exe"" ""%1"""

[Run]
Filename: "{app}\spatial-workbench.exe"; Description: "{cm:LaunchProgram,Spatial Workbench}"; Flags: nowait postinstall skipifsilent
