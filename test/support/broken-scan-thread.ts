/** A scan thread whose engine cannot start, as where its files are unreadable. */
throw new Error('The weights of the model are not readable.');
