"""Prints what python-docx, openpyxl and Python's own readers of emails and archives show of files: a line of JSON for
each path read from the standard input, with the text that each library shows. A file that a library cannot open has
none."""

import email, email.policy, gzip, io, json, sys, zipfile

import docx
import openpyxl


def show_docx(path):
    document = docx.Document(path)
    lines = []

    def block(part):
        lines.extend(one.text for one in part.paragraphs)
        for table in part.tables:
            for row in table.rows:
                for cell in row.cells:
                    block(cell)

    block(document)
    lines.append("".join(document.element.body.itertext()))
    for section in document.sections:
        for part in (section.header, section.footer, section.first_page_header, section.even_page_header):
            block(part)
    core = document.core_properties
    lines += [core.title, core.subject, core.keywords, core.comments, core.author, core.category]
    for relation in document.part.rels.values():
        lines.append(relation.target_ref if relation.is_external else relation.target_part.partname)
        # Comments and notes are read like this, because the library has no call for them.
        if not relation.is_external and relation.reltype.split("/")[-1] in ("comments", "footnotes", "endnotes"):
            from lxml import etree

            lines.append("".join(etree.fromstring(relation.target_part.blob).itertext()))
    return lines


def show_xlsx(path):
    book = openpyxl.load_workbook(path)
    lines = list(book.sheetnames)
    for sheet in book.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                lines.append(cell.value)
                lines.append(cell.number_format)
                if cell.comment:
                    lines.append(cell.comment.text)
        lines.append(sheet.oddHeader.center.text)
        for rule in sheet.data_validations.dataValidation:
            lines += [rule.prompt, rule.error]
    names = book.defined_names
    lines += [one.attr_text for one in getattr(names, "definedName", None) or names.values()]
    lines += [book.properties.title, book.properties.description]
    values = openpyxl.load_workbook(path, data_only=True)
    lines += [cell.value for sheet in values.worksheets for row in sheet.iter_rows() for cell in row]
    return lines


def show_email(path):
    with open(path, "rb") as file:
        message = email.message_from_binary_file(file, policy=email.policy.default)
    if not message.keys():
        raise ValueError("no email")
    lines = []
    for part in message.walk():
        lines += [str(value) for value in part.values()]
        lines.append(part.get_filename())
        if part.is_multipart():
            continue
        lines.append(part.get_payload(decode=True).decode("utf-8", "replace"))
        try:
            content = part.get_content()
            lines.append(content if isinstance(content, str) else content.decode("utf-8", "replace"))
        except Exception:
            pass
    return lines


def show_gzip(path):
    with gzip.open(path) as file:
        return [file.read().decode("utf-8", "replace")]


def show_zip(path):
    with zipfile.ZipFile(path) as archive:
        lines = [archive.comment.decode("utf-8", "replace")]
        for name in archive.namelist():
            lines += [name, archive.read(name).decode("utf-8", "replace")]
    return lines


def show_text(path):
    with open(path, "rb") as file:
        start = file.read()
    for mark, encoding in ((b"\xff\xfe\0\0", "utf-32"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if start.startswith(mark):
            return [start.decode(encoding, "replace")]
    return [start.decode("utf-8", "replace")]


def show_notebook(path):
    """As nbformat does, which is not part of the distribution: lists of lines are joined."""
    joined = lambda text: "".join(text) if isinstance(text, list) else text
    with open(path) as file:
        notebook = json.load(file)
    cells = notebook.get("cells") or [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]
    lines = [joined(cell.get("source", cell.get("input"))) for cell in cells]
    for output in [output for cell in cells for output in cell.get("outputs", [])]:
        lines += [joined(text) for text in (output.get("text"), *output.get("data", {}).values())]
    return lines


LIBRARIES = {
    "docx": {"python-docx": show_docx, "zipfile": show_zip},
    "xlsx": {"openpyxl": show_xlsx},
    "pptx": {},
    "odt": {},
    "pdf": {},
    "rtf": {},
    "eml": {"email": show_email},
    "gz": {"gzip": show_gzip},
    "zip": {"zipfile": show_zip},
    "ipynb": {"notebook": show_notebook},
    "txt": {"text": show_text},
}
for line in sys.stdin:
    path = line.strip()
    shown = {}
    for name, show in LIBRARIES[path.rsplit(".", 1)[1]].items():
        try:
            shown[name] = "\n".join(str(one) for one in show(path) if one is not None)
        except Exception:
            pass
    print(json.dumps(shown), flush=True)
