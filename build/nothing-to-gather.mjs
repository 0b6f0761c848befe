/** Called by electron-builder: false tells it that the app's packages are taken care of elsewhere. */
export async function beforeBuild() {
  return false;
}
