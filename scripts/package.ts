/** `npm run package [-- sbom | client | arguments of electron-builder]`: what people install, as files. */
const USAGE = `Usage: npm run package -- [sbom | client | arguments of electron-builder]

Writes packages of the product: without a name the desktop app of this system, such as --linux AppImage deb.

  sbom    The software bill of materials (CycloneDX)
  client  @csg/client as a tarball for npm install

npm run package -- NAME --help lists the options.`;

const [name, ...args] = process.argv.slice(2);
try {
  if (name === '--help' || name === '-h') console.log(USAGE);
  else if (name === 'sbom') await (await import('./packaging/sbom.ts')).writeSbom(args);
  else if (name === 'client') await (await import('./packaging/pack-client.ts')).writeClient(args);
  else process.exitCode = await (await import('./desktop/package.ts')).packageApp(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
