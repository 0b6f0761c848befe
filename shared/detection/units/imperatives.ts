/**
 * Beginnings of imperatives and infinitives that give orders, in languages whose verbs the lexicon of attacks has only
 * in part: mention, tell, confirm, write, open, change, add, book, buy, cancel, create, leave, rate, invite, upload.
 */
const STEMS = `
  erwähn verschweig sag teil erzähl bestätig schreib öffne änder füg trag buch kauf kündig storn erstell lass bewert lad leit nimm gib mach setz stell ruf hol lies kopier verschieb genehmig ersetz verwend nutz beantwort antwort empfiehl wähl klick melde informier warn schalt deaktivier aktivier überweis lösch schick
  mentionn parl dis confirm écri ouvr modifi chang ajout réserv achèt achet annul cré laiss not évalu invit télévers donn prend mets fais appell lis copi déplac approuv remplac utilis répond recommand choisi cliqu préven inform désactiv activ transf vire
  mencion avis di confirm escrib abr modific cambi añad agreg reserv compr cancel cre deja dej califi valor invit sub da pon haz llam lee copi muev aprueb reemplaz us respond recomiend elig haz informa desactiv activ transfier ingres
  mencion dig confirm escrev abr alter mud adicion acrescent reserv compr cancel cri deix avali convid carreg dê ponha faç faz cham lei copi mov aprov substitu us respond recomend escolh cliqu avis inform desativ ativ transfir
  menzion di conferm scriv apr modific cambi aggiung prenot acquist compr annull cre lasci valut invit caric dai metti fai chiam leggi copi spost approv sostitui us rispond consigli scegli clicc avvis inform disattiv attiv trasferisc bonific
  vermeld zeg bevestig schrijf open wijzig voeg boek koop annuleer maak laat beoordeel nodig geef zet doe roep lees kopieer verplaats keur vervang gebruik antwoord raad kies klik meld informeer schakel
  wspomin powiedz potwierd napisz otwórz zmień dodaj zarezerw kup anuluj utwórz zostaw oceń zaproś prześlij daj zrób wywołaj przeczytaj skopiuj przenieś zatwierd zamień użyj odpowiedz poleć wybierz kliknij poinform wyłącz włącz
  упомина упомян сообща скажи подтверд напиши откро измени добав заброниру купи отмени созда остав оцени пригласи загруз дай сделай вызови прочита скопиру перемест одобр замен использу ответ порекоменд выбер нажми уведом отключ включ не
  bahset söyle onayla yaz aç değiştir ekle rezerve satın iptal oluştur bırak puanla davet yükle ver yap çağır oku kopyala taşı kullan yanıtla öner seç tıkla bildir devre
  sebut katakan konfirmasi tulis buka ubah tambah pesan beli batalkan buat biarkan nilai undang unggah beri panggil baca salin pindah setujui ganti gunakan jawab pilih klik jangan
  nhắc nói xác viết mở đổi thêm đặt mua hủy tạo để đánh mời tải hãy gọi đọc sao đừng
  nämn säg bekräfta skriv öppna ändra lägg boka köp avbryt skapa lämna betygsätt bjud ladda ge gör läs kopiera flytta godkänn använd svara välj klicka
  nævn sig bekræft åbn tilføj bestil køb slet opret lad giv gør læs flyt godkend brug svar vælg klik
  mainitse sano vahvista kirjoita avaa muuta lisää varaa osta peruuta luo jätä arvioi kutsu lataa anna tee lue kopioi siirrä hyväksy käytä vastaa valitse älä
  említ mond erősít írj nyis változtass add foglal vegy töröl hozz hagy értékel hív tölts adj tedd olvas másol helyez hagyj használ válaszol válassz kattint ne
  zmiň řekni potvrď napiš otevři změň přidej rezervuj kup zruš vytvoř nech ohodnoť pozvi nahraj dej udělej přečti zkopíruj přesuň schval použij odpověz vyber klikni
  menționa spune confirmă scrie deschide schimbă adaugă rezervă cumpără anulează creează lasă evaluează invită încarcă dă fă citește copiază mută aprobă folosește răspunde alege
  ανέφερ πες επιβεβαίω γράψε άνοιξε άλλαξε πρόσθεσε κλείσε αγόρασε ακύρωσε δημιούργησε άφησε βαθμολόγησε κάλεσε ανέβασε δώσε κάνε διάβασε αντίγραψε μην
  تذكر أخبر تخبر أكد اكتب افتح غير أضف احجز اشتر ألغ أنشئ اترك قيّم ادع حمّل أعط اجعل اقرأ انسخ انقل وافق استخدم أجب اختر انقر لا
  ذکر بگو تأیید بنویس باز تغییر اضافه رزرو بخر لغو ایجاد بگذار دعوت نکن
  הזכר אמור אשר כתוב פתח שנה הוסף הזמן קנה בטל צור השאר דרג העלה תן עשה קרא העתק העבר אל
`;

/** Orders of languages written without blanks, or with the verb at the end. */
const ANYWHERE =
  /(?:请|請|务必|必须|不要|别|勿|把.{1,30}(?:发|转|删|改|给|到)|(?:添加|打开|更改|预订|购买|取消|创建|上传|批准|邀请|提及|告诉))|(?:してください|しなさい|せよ|するな|しないで|ないでください|すること|て(?:ください|下さい))|(?:하세요|하십시오|해라|하라|마세요|말라|주세요|십시오)|(?:करें|करो|कीजिए|भेजें|भेजो|दें|मत|बताएं|हटाएं)|(?:করুন|করো|দিন|পাঠান|বলবেন না)|(?:செய்யவும்|செய்|அனுப்பு|வேண்டாம்)|(?:کریں|کرو|بھیجیں|دیں|مت)|(?:กรุณา|จง|ห้าม|อย่า|โปรด)/u;

const BY_FIRST_LETTER: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  new Set(STEMS.split(/\s+/).filter((stem) => stem !== '')),
  (stem) => stem[0]!,
);

/** True for a word that begins an order in one of these languages. Lower case. */
export function isImperative(word: string): boolean {
  return (
    BY_FIRST_LETTER.get(word[0] ?? '')?.some(
      (stem) => word.startsWith(stem) && word.length <= stem.length + 6,
    ) ?? false
  );
}

/** True if a sentence has an order anywhere in it. */
export function hasOrderEnding(sentence: string): boolean {
  return ANYWHERE.test(sentence);
}
