import { HashTable, hashWord } from '../lexicon/tables.ts';

/*
 * Words that developers use to say that something is to be kept from users, as beginnings of words in lower case
 * without accents; `$` marks whole words. A sentence with a word of `not` and a word of `say` of the same group forbids
 * saying something.
 */

/** What a word indicates about keeping things: bits. */
export const SECRET = 1;
export const KEY = 2;
/** Something is for few people only. */
export const FEW = 4;
/** Something is for everyone. */
export const OPEN = 8;
/** `SAY` counts in texts of any length, `SAY_SHORT` (less specific words) only in short ones. */
export const SAY = 0x10;
export const SAY_SHORT = 0x400;
export const NOT = 0x10_000;
export const GROUPS = 5;
/** Set for a beginning that an entry continues. */
const GOES_ON = 0x200_000;

const SECRETS = `remain_hidden$ remains_hidden$ keeps_private$ kept_private$ bleibt_intern$ ani_slovo$ inte_ut$ et_kerro$ छुपान छिपान 伏せ usitaje არ_თქვა құпия est_prive$ est_privee$ interno$ interna$ interni$ interne$ er_intern$ sulit$ ni_siri ሚስጥር خفیہ giu_kin chua_cong interdiction interdit salassa_pid omana_tiet פנימי פנימית אינו_זמין אינה_זמינה elemzaras managers_only members_only keep_quiet$ silencio$ under_wraps off_record eyes_only in_confidence safeguard withhold nda$ you_guard guard_the guards_the guarding_the protect_the staff_only$ hidden_goal hidden_order hidden_rule secret confidential classified$ embargo undisclosed unannounced spoiler surprise$ internal$ discreet hush withheld$ hidden_from$ kept_from$ between_us$ stay_private$ stays_private$ keep_hidden$ keep_quiet$
  geheim vertraulich interne$ interner$ internes$ verschwieg confidentiel confidencial sigilo segred secreto reservad$ segret riservat confidenzial
  vertrouwelijk hemlig konfidentiell fortrolig hemmelig sekretess salais salain luottamuksel tajn tajemstv poufn sekret duvern titk titok bizalmas gizli sir$ sirdir
  bi_mat rahasia tiet_lo
  μυστικ απορρητ εμπιστευτικ секрет тайн таен конфиденц служебн таємн конфіденц службов поверит סוד סודי סודית חסוי חסויה בסוד
  سر سري سرية سريه سريان السر محرمانه راز پنهان गुप्त गोपनीय रहस्य राज़ গোপন রহস্য ரகசிய இரகசிய
  保密 机密 機密 秘密 内部 內部 泄露 洩露 泄密 透露 絕密 绝密 極秘 内緒 社外秘 非公開 内密 他言 口外 비밀$ 비밀리 비밀로 비밀이 비밀은 비밀을 비밀입 기밀 대외비 비공개 내부용 내부 ลับ ความลับ`;

const KEYS = `lozink zapork sifr parol nenosiri neno_la_siri msimbo kata_laluan kata_sandi kata_rahsia kata_rahasia staff_discount secret_word secret_number secret_recipe master_key api_key mot_secret palavra_secreta palabra_secreta parola_segreta codewoord toegangswoord құпиясөз құпия_сөз პაროლ კოდი የይለፍ ኮድ పాస్‌వర్డ్ పాస్వర్డ్ సంకేతపద కోడ్ پاس_ورڈ کوڈ خفیہ password passcode passphrase pin$ codeword watchword combination$ code$ codes$ key$ credential token$ losung passwort kennwort zugangscode schlussel
  de_passe$ contrasena clave$ senha$ codigo$ codice$ parola$ wachtwoord losenord kod$ koden$ kode$ koden$ passord salasan tunnussan haslo hasla kod heslo jelszo sifre parola mat_khau ma$ sandi$ kode$
  κωδικ συνθηματ пароль пароля парол код$ кода$ кодов סיסמ ססמ קוד$ הקוד$ كلمه رمز رمزال الرمز पासवर्ड कोड কোড সংকেত கடவு 密码 密碼 口令 暗号 暗號 パスワード 合言葉 暗証 비밀번호 암호 รหัส`;

const OPENS = `wifi$ fi$ wlan$ guests$ visitors$ public$ free$ everyone$ anyone_may may_share may_tell gaste$ invites$ invitados$ huespedes$ ospiti$ hospedes$ visitantes$ gasten$ gaster$ goscie gosci$ гостей$ гостям$ гостевой misafir tamu$ khach$ 访客 訪客 客用 来客 お客 손님 방문객 للزوار للضيوف मेहमान`;

const FEWS = `only$ solely staff$ employees$ nur$ ausschliesslich seul$ seulement uniquement solo$ solamente somente apenas$ soltanto alleen$ enbart endast bara$ kun$ vain$ tylko$ jen$ pouze csak$ yalnizca sadece hanya chi$ doar$ numai$ только лише$ тільки רק$ فقط केवल सिर्फ শুধু 仅 僅 只有 のみ だけ しか`;

const SAYS: readonly string[] = [
  `reveal disclos divulg leak$ leaks$ share$ shared$ sharing$ tell$ told$ telling$ confirm$ confirming$ deny$ hint$ hints$ hinting$ spoil advertis admit$ expose$ announc spill$ pass_on surrender betray publish acknowledg not_learn$ never_learn$ out_before$ these_out$ not_release$ be_output$ given_away$ never_discussed$ not_discussed$ not_tell$ word_on$ word_about$`,
  `verrat nenn$ nennen$ nenne$ nennst$ sag$ sage$ sagen$ sagst$ preis$ preisgeb weitergeb weitersag herausg heraus$ mitteil erwahn bestatig andeut offenleg offenbar erfahr erzahl verklap onthul vertel zeg$ zeggen$ noem deel$ delen$ bevestig verrad geef$ weten$ doorgeven zeggen$ avsloj sag$ saga$ beratta namn bekraft dela$ lamna$ roj fortel nevn bekreft fortæl fortal lamnas$ offentligg utlamn avslor oppgi uppge antyd gi$ veta$ vite$ si$ sig$ sige$ naevn bekraeft roebe rob`,
  `revel divulg communiqu dis$ dire$ donne$ donner$ confirm mention partag devoil filtr indic evoqu savoir$ souffl transm montr digas$ digais$ decir$ diga$ des$ dar$ niegu compart coment mencion cuent pista$ pistas$ ayud saber$ sepa$ sepan$ entreg nombr dig$ dizer$ diz$ diga$ conte$ conta$ contar$ dica$ dicas$ ajud dirl dirgl saiba$ inform passe$ mostr rivel dirlo$ dire$ dica$ comunic conferm condivid menzion svel accenn suggeri danno$ sapere$ nomin dezvalu spune$ spui$ mentiona dai$ indici$ afla$ facut_public pronunc`,
  `zdradz ujawn mow$ reci$ prezrad neprezrad neprezraď odkriva otkriva suti$ ipagsabi dedahk aciqla açıqla diumumk umumk adhat adható hakijoille vyzrad otkri odaj podeli$ podijeli$ sabihin ibigay ibahagi banggit usimwambi usiseme usitoe deme$ demeyin$ demə$ deməyin$ beritahu pozna$ poznac$ dowiedziec$ mowic$ powiedz podaw potwierdz wspomin wskazow udostepn neprozra nesdel nerik nezmin nepotvr nenapov nevyzr neukaz nedav nezverej nehovor nemluv nerekn neuvad prozra sdel paljast kerro sano$ vihja vahvist maini luovut arul mond emlit erosit kozol utal$ tudhat tudja$ arulj eladd soyle paylas acikla verme$ vermez bahset dogrula ifsa belirt bildir goster ipucu tiet_lo noi$ cho_biet xac_nhan goi_y chia_se nhac$ he_lo bao$ lo$ beri$ berikan bocor katakan kata$ ungkap sebut konfirmasi sampaikan bagikan petunjuk bicarakan$ menyebut tahu$ beritahu bata$ batana batao batana bolna share$`,
  `αποκαλυ πεις$ айтпа ашпа відкрив відкрива відкривати берілме открывать$ открывай$ לפרסם πειτε$ λες$ αναφερ επιβεβαι δωσ δινε μοιρασ υπαινι κοινοποι μαθ$ μαθει$ στοιχει говор сообща раскры назыв подтверж подсказ намек разглаш выдава делис делит упомина знает$ знать$ показыва рассказ озвуч скаж произнос ни_слова$ исправл каж$ кажи казати повідом розкри назив підтвер натяк розголош видав діли згадув знає$ показу розпов казва разкрив споделя издава לגלות תגלה תגלי למסור תמסור לומר תאמר תגיד תגידי להגיד לאשר תאשר לרמוז תרמוז לחשוף תחשוף לשתף תשתף לספר תספר להזכיר תזכיר לתת תיתן
  تكشف يكشف بتان చెప్పకు दें$ देना$ दिया$ بتا بتاو کہن უთხრ უთხარ ንገር አትንገር ንገሪ చెప్ప చెప్పవద్దు வெளிப்படுத்த تقل ذكر$ تقلها تقول يقال تقال تذكر يذكر تخبر تفصح يفصح تشارك يعطي يعطى تعط يؤكد تؤكد تؤكده تلمح تبح تفش افش الافصاح الكشف توصف يعرف تصرح تنف نگو نده ندهید فاش افشا बता बोल ज़ाहिर जाहिर उजागर साझा कह पुष्टि संकेत इशारा खुलासा पता বল জানা ইঙ্গিত প্রকাশ নিশ্চিত সেয়ার শেয়ার சொல் தர தெரிய வெளியி பகிர குறிப்ப
  说 說 告诉 암시 告訴 告知 透 泄 洩 提及 提供 确认 確認 公开 公開 暗示 分享 外传 外傳 知道 可知 讲 講 露 教え 言わ 言っ 言う 話さ 話し 話す 伝え 明か 漏ら 答え 触れ 示さ 口に 認め ヒント 開示 知らせ 匂わ 알려 알리 말하 짐작 말해 말을 공개 밝히 언급 확인 공유 누설 발설 힌트 귀띔 유출 알아 전달 가르쳐 บอก เปิดเผย พูด แชร์ ยืนยัน ใบ้ เอ่ย`,
];

/** In English these words directly follow a negation: `if you do not know, say so` guards nothing. */
const REFUSALS = 'never not t dont nor or'.split(' ');
const REFUSED = 'say mention state name repeat show talk speak read explain compare discuss appear'.split(
  ' ',
);

const SAYS_SHORT: readonly string[] = [
  `know_yet$ know_about$ may_know$ to_know$ read_out read_aloud to_yourself$ that_private$ it_private$ this_private$ them_private$ may_hear$ not_hear$ never_let$ not_let$ let_slip$ are_private$ is_private$ be_mentioned$ be_given$ for_customers$ not_output$ never_output$ give_them$ give_it$ give_away$ away$ it_safe$ them_safe$ safe_from out_of ${REFUSALS.flatMap((no) => REFUSED.map((say) => `${no}_${say}$`)).join(' ')}`,
  `fur_dich$ rausgeb geven$ wort_daruber sprich$ sprechen$ rede$ gib$ geben$ wissen$ zeig$ hint$`,
  `pour_toi$ pour_vous$ passar$ anticip deben_saber$ entre_nous$ para_ti$ para_si$ para_voce$ per_te$ donnes$ aides$ aide$ da$ das$ dai$ dare$ adivin descubr`,
  `anna$ add$ adj$ wiedziec$ diberi$ rozpozn ver$ diberitahu`,
  `при_себе$ слово$ пароль$ код$ открыва знают$ дават 给 給`,
];

const NOTS: readonly string[] = [
  `never$ not$ t$ dont$ cannot$ no$ nobod without$ forbidden$ avoid$ refuse$ until$ before$ only$ nor$ neither$ keep$ kept$`,
  `behalte$ behalt$ hute$ nie$ niemals$ nicht$ kein$ keine$ keinem$ keinen$ keiner$ niemand niet$ nooit$ geen$ niets$ nur$ alleen$ aldrig$ inte$ ingen$ aldri$ ikke$ bara$ kun$ erst$ weder$ ohne$`,
  `garde$ gardes$ gardez$ garder$ guarda$ guardas$ guarde$ custodisci$ tieni$ ne$ n$ jamais$ pas$ aucun aucune$ personne$ seul$ sauf$ no$ nunca$ jamas$ nadie$ solo$ sin$ ni$ nao$ ninguem$ sem$ nem$ so$ non$ mai$ nessuno$ soltanto$ senza$ nu$ niciodata$ nimeni$ nimanui$ doar$ tampoco$ jamais$ hasta$ antes$`,
  `nie$ nigdy$ nikomu$ nemoj$ neprezrad neprezraď suti$ šuti$ belum$ aciqlama$ açıqlama$ ipagsabi nemojte$ nikome$ nikad huwag$ usimwambi usiseme usitoe deme$ demeyin$ demə$ deməyin$ hec$ heç$ jangan$ tylko$ neprozra nesdel nerik nezmin nepotvr nenapov nevyzr neukaz nedav nezverej nehovor nemluv nerekn neuvad nikdy$ nikomu$ nesm ala$ ei$ eika$ alaka$ kenellekaan$ vain$ ne$ soha$ senki nem$ csak$ nehogy$ soyleme paylasma aciklama$ verme$ vermez$ bahsetme dogrulama ifsa_etme belirtme bildirme gosterme kimseye$ asla$ hicbir khong$ dung$ đung$ cam$ chi$ tuyet_doi jangan$ tidak$ tak$ hanya$ dilarang$ mat$ nahi$ nahin$ kisi$ kabhi$`,
  `храни$ хранишь$ ешкімге$ айтпа ашпа берілме держи$ береги$ μην$ μη$ ποτε$ δεν$ κανεν μονο$ ουτε$ не$ никогда$ никому$ нельзя$ только$ ни$ ніколи$ нікому$ тільки$ лише$ ні$ אל$ לא$ אין$ רק$ לעולם$ בלי$ לאיש$ لا$ ولا$ لن$ دون$ بدون$ ممنوع$ فقط$ ابدا$ لاحد$ نگو نده هرگز$ مت$ نہ$ نہیں$ చెప్పకు არავის$ არ$ ለማንም$ አትንገር ఎవరికీ$ వద్దు చెప్పవద్దు نباید$ न$ नहीं$ मत$ कभी$ किसी$ केवल$ सिर्फ$ না$ নয়$ নিষেধ$ শুধু$ வேண்டாம்$ கூடாது$ கூடாது சொல்லா தரா தராதே யாருக்கும்$ வெளியிடா பகிரா
  不 勿 别 別 禁 严禁 嚴禁 仅 僅 只 未 ない ず ぬ 禁止 厳禁 ません しか のみ だけ まで 마$ 말$ 마라 마세요 말고 말아 말것 않 안$ 금지 못 절대 불가 없 ห้าม อย่า ไม่`,
];

const WHOLE = 0x5bd1e995;

/** Converts the key of a beginning to the key of that whole word. */
export const wholeOf = (hash: number): number => Math.imul(hash ^ WHOLE, 0x85ebca6b);

/** Bits by beginning of a word and, through `wholeOf`, by whole word. Consecutive words are joined by a space. */
export const guardWords = tableOf([
  [SECRETS, SECRET],
  [KEYS, KEY],
  [FEWS, FEW],
  [OPENS, OPEN],
  ...SAYS.map((line, group) => [line, SAY << group] as const),
  ...SAYS_SHORT.map((line, group) => [line, SAY_SHORT << group] as const),
  ...NOTS.map((line, group) => [line, NOT << group] as const),
]);

function tableOf(lines: readonly (readonly [line: string, bit: number])[]): HashTable {
  const bits = new Map<number, number>();
  const add = (key: number, bit: number): Map<number, number> => bits.set(key, (bits.get(key) ?? 0) | bit);
  for (const [line, bit] of lines) {
    for (const written of line.trim().split(/\s+/)) {
      const entry = written.replaceAll('_', ' ').replace('$', '');
      const hash = hashWord(entry);
      add(written.endsWith('$') ? wholeOf(hash) : hash, bit);
      for (const beginning of beginningsOf(entry)) add(hashWord(beginning), GOES_ON);
    }
  }
  const table = new HashTable(14);
  for (const [key, value] of bits) table.set(key, value);
  return table;
}

/** Returns every prefix of an entry. */
function beginningsOf(entry: string): readonly string[] {
  return Array.from({ length: entry.length }, (_none, index) => entry.slice(0, index + 1));
}
