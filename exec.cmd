@rem package.json's scripts begin with `exec` so that signals reach Node and not a shell; Windows has no such word.
@%*
