import { Parser } from 'htmlparser2';
import { localName } from './xml-texts.ts';

/** The content types of the parts of a package, by lower-case name. */
export interface PackageTypes {
  typeOf(part: string): string;
}

/** Parts that list content types: of Office Open XML, and of OpenDocument and e-books. */
export const TYPE_LISTS = /^(?:\[content_types\]\.xml|meta-inf\/manifest\.xml)$/i;

/** Fonts, settings of printers, and positions of lines: binary files of which nothing is shown as text. */
const WITHOUT_TEXT = /font|printersettings|ms-opentype|^application\/binary$/;

export const isWithoutText = (type: string): boolean => WITHOUT_TEXT.test(type);

/** Reads the lists of content types. */
export function readPackageTypes(lists: readonly string[]): PackageTypes {
  const ofParts = new Map<string, string>();
  const ofExtensions = new Map<string, string>();
  const parser = new Parser(
    {
      onopentag(element, attributes) {
        const of = (name: string): string =>
          (Object.entries(attributes).find(([key]) => localName(key) === name)?.[1] ?? '').toLowerCase();
        const name = localName(element);
        if (name === 'Override') ofParts.set(of('PartName').replace(/^\//, ''), of('ContentType'));
        else if (name === 'Default') ofExtensions.set(of('Extension'), of('ContentType'));
        else if (name === 'file-entry') ofParts.set(of('full-path'), of('media-type'));
      },
    },
    { xmlMode: true },
  );
  for (const list of lists) parser.parseComplete(list);
  return {
    typeOf(part) {
      const name = part.toLowerCase();
      return ofParts.get(name) ?? ofExtensions.get(/\.([^./]*)$/.exec(name)?.[1] ?? '') ?? '';
    },
  };
}
