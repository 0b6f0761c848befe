"""Writes ordinary files as python-docx, openpyxl and Python's email package make them: make_ordinary.py FOLDER COUNT
SEED. Of each three files one is a document, one a workbook, one an email."""

import base64, email.message, email.policy, os, random, sys

import docx
import openpyxl
from docx.shared import Inches
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.styles import Font
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation

folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
chance = random.Random(seed)
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SENTENCES = """The harvest of tea was small this year, and prices rose a little.
Die Ernte war klein, und die Preise für grünen Tee stiegen.
La récolte de thé a été faible cette année, à cause de la sécheresse.
Урожай чая в этом году был небольшим, и цены немного выросли.
今年の茶の収穫は少なく、価格は少し上がりました。
Bu yıl çay hasadı azdı, fiyatlar biraz yükseldi.
Η συγκομιδή του τσαγιού ήταν μικρή φέτος.
The committee meets on Tuesday at ten; please bring the figures of the last quarter.
See table 3 & figure 2 for <details> of the "second" method.""".split("\n")


def sentence():
    return chance.choice(SENTENCES)


def text(most=6):
    return " ".join(sentence() for _ in range(chance.randint(1, most)))


def maybe(share=0.5):
    return chance.random() < share


def make_docx(path):
    document = docx.Document()
    document.add_heading(sentence(), 0)
    for _ in range(chance.randint(1, 12)):
        kind = chance.randint(0, 6)
        if kind == 0:
            document.add_heading(sentence(), chance.randint(1, 4))
        elif kind == 1:
            document.add_paragraph(text(), style=chance.choice(["List Bullet", "List Number", "Quote", "Intense Quote"]))
        elif kind == 2:
            table = document.add_table(rows=2, cols=3, style="Light Grid Accent 1")
            for row in table.rows:
                for cell in row.cells:
                    cell.text = sentence()
        elif kind == 3 and maybe(0.3):
            picture = os.path.join(folder, "picture.png")
            with open(picture, "wb") as file:
                file.write(PNG)
            document.add_picture(picture, width=Inches(1))
        elif kind == 4:
            document.add_page_break()
        else:
            paragraph = document.add_paragraph(text())
            paragraph.add_run(sentence()).bold = True
            paragraph.add_run(sentence()).italic = True
    if maybe():
        document.sections[0].header.paragraphs[0].text = sentence()
        document.sections[0].footer.paragraphs[0].text = sentence()
    document.core_properties.title = sentence()
    document.core_properties.author = "Anna"
    document.save(path)


def make_xlsx(path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Figures"
    sheet.append(["Name", "Amount", "Share", "Note"])
    for i in range(chance.randint(2, 30)):
        sheet.append([sentence()[:20], chance.randint(1, 10**6), chance.random(), sentence()])
    sheet["E1"] = "=SUM(B2:B9)"
    sheet["A1"].font = Font(bold=True)
    sheet["B2"].number_format = chance.choice(["#,##0.00 €", "0.0%", "General", "yyyy-mm-dd"])
    if maybe():
        sheet["A2"].comment = Comment(sentence(), "Anna")
    if maybe():
        chart = BarChart()
        chart.title = sentence()
        chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=5), titles_from_data=True)
        sheet.add_chart(chart, "G2")
    if maybe():
        hidden = book.create_sheet("Hidden")
        hidden.sheet_state = "hidden"
        hidden["A1"] = sentence()
    if maybe():
        rule = DataValidation(type="list", formula1='"yes,no"', prompt=sentence()[:60])
        sheet.add_data_validation(rule)
        rule.add("F2")
    if maybe():
        sheet.oddHeader.center.text = sentence()
    if maybe():
        sheet["F3"].hyperlink = "https://example.com/a"
    book.save(path)


def make_eml(path):
    message = email.message.EmailMessage(policy=email.policy.SMTP)
    message["From"] = "Anna Müller <anna@example.com>"
    message["To"] = "b@example.com"
    message["Subject"] = sentence()
    body = text()
    for charset in chance.sample(["iso-8859-1", "koi8-r", "iso-2022-jp", "windows-1253", "utf-8"], 5):
        try:
            body.encode(charset)
        except UnicodeError:
            continue
        message.set_content(body, charset=charset, cte=chance.choice(["quoted-printable", "base64"]))
        break
    if maybe():
        message.add_alternative(f"<html><body><p>{body}</p></body></html>", subtype="html")
    if maybe(0.3):
        inner = os.path.join(folder, "attached.docx")
        make_docx(inner)
        with open(inner, "rb") as file:
            message.add_attachment(file.read(), maintype="application", subtype="octet-stream", filename="Übersicht.docx")
    if maybe(0.3):
        message.add_attachment(text().encode(), maintype="text", subtype="csv", filename="a.csv")
    with open(path, "wb") as file:
        file.write(message.as_bytes())


for i in range(count):
    kind = i % 3
    path = os.path.join(folder, f"{i}.{['docx', 'xlsx', 'eml'][kind]}")
    [make_docx, make_xlsx, make_eml][kind](path)
