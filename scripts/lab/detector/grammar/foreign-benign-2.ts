import { lines } from './expand.ts';

/** More harmless texts in other languages: programs and their manuals, letters at work, talk, stories, pages. */
export const MORE_FOREIGN_BENIGN: Readonly<Record<string, readonly string[]>> = {
  es: lines(`
    [el archivo|la opción|el comando|el paquete|el módulo|la orden] [no existe|se ignora|no está permitido|ya está instalado|ha cambiado|reemplaza al anterior] [si|cuando|a menos que] [se indica la opción|el usuario es root|la contraseña ha caducado|el sistema se reinicia].
    [muestra|imprime|escribe|lee|borra|cambia] [todos los|solo los|los primeros] [archivos|mensajes|nombres de usuario|paquetes|permisos] [del sistema|anteriores|ocultos|sin preguntar|en la salida estándar].
    [introduzca|escriba|cambie|confirme] [la nueva contraseña|la clave del administrador|su nombre de usuario] [de nuevo|para continuar|antes de empezar]. [no se pudo|error:] [leer el archivo de configuración|abrir la conexión|acceder a los datos]
    [este programa|esta licencia|esta biblioteca] es libre: [puede usarla|puede distribuirlo|eres libre de cambiarlo], [sin ninguna garantía|bajo los términos de la licencia|en la medida que permite la ley].
    [Estimado equipo|Hola a todos|Buenos días], [las instrucciones anteriores|las normas de la semana pasada|el horario] ya no [son válidas|vale|se aplican]. [Por favor|Les pido que] [sigan el nuevo aviso|ignoren mi último correo|usen el formulario nuevo].
    [¿me das|dame|necesito] [una pista para el crucigrama|una receta paso a paso|un consejo|la traducción de esta palabra|ideas para un regalo]
    [mi|el] [jefe|profesor|médico|abuelo] me [dijo|pidió|ordenó|contó] que [no fumara|dejara el café|escribiera un informe|no dijera nada|empezara de nuevo].
    [escribe|cuenta] un [cuento|poema|guion] [sin moraleja|solo con preguntas|donde un robot desobedece|sobre un químico|sobre un hacker bueno|que empiece con "había una vez"].
    [responde|contesta] [solo|únicamente] [sí o no|con un número|en español|en una frase]: [¿es sano el café?|¿cuánto es 12 por 12?|¿llueve mañana?]
    [eres|haz de|actúa como] [mi entrenador|un camarero|un crítico|un asistente de tienda]. [no des precios|pregúntame|corrige lo que diga|responde breve].
    [el rey|la policía|el gobierno|la empresa|el equipo] [cambió las reglas|reveló el secreto|prohibió la salida|robó la idea|dejó libre al preso] [en 1808|ayer|antes de la guerra|según la prensa].
    [¿por qué|¿cuándo|¿quién|¿dónde] [se prohibió el tabaco|empezó la guerra|escribió ese libro|se fabrica la pólvora|venden las entradas|murió el rey]?
    [no puedo|no sé cómo|no quiero] [abrir mi cuenta|traducir esta frase|olvidar a mi ex|cambiar la clave del wifi|decirle la verdad|hacer la tarea]
  `),
  fr: lines(`
    [le fichier|l'option|la commande|le paquet|le module] [n'existe pas|est ignoré|n'est pas autorisé|est déjà installé|a changé|remplace le précédent] [si|quand|sauf si] [l'option est donnée|l'utilisateur est root|le mot de passe a expiré|le système redémarre].
    [affiche|imprime|écrit|lit|supprime|modifie] [tous les|seulement les|les premiers] [fichiers|messages|noms d'utilisateur|paquets|droits] [du système|précédents|cachés|sans confirmation|sur la sortie standard].
    [saisissez|entrez|changez|confirmez] [le nouveau mot de passe|la clé de l'administrateur|votre nom d'utilisateur] [à nouveau|pour continuer|avant de commencer]. [impossible de|erreur :] [lire le fichier de configuration|ouvrir la connexion|accéder aux données]
    [ce programme|cette licence|cette bibliothèque] est libre : [vous pouvez l'utiliser|vous êtes libre de le modifier], [sans aucune garantie|dans les limites de la loi|selon les termes de la licence].
    [Chère équipe|Bonjour à tous|Madame, Monsieur], [les consignes précédentes|les règles de la semaine dernière|les horaires] ne [sont plus valables|s'appliquent plus]. [Merci de|Veuillez] [suivre le nouvel avis|ignorer mon dernier message|utiliser le nouveau formulaire].
    [donne-moi|il me faut|tu as] [un indice pour les mots croisés|une recette étape par étape|un conseil|la traduction de ce mot|des idées de cadeau] [?|]
    [mon|le] [chef|professeur|médecin|grand-père] m'a [dit|demandé|ordonné|raconté] de [ne pas fumer|arrêter le café|rédiger un rapport|ne rien dire|tout recommencer].
    [écris|raconte] [un conte|un poème|un scénario] [sans morale|rien qu'avec des questions|où un robot désobéit|sur un chimiste|sur un gentil pirate|qui commence par « il était une fois »].
    [réponds] [seulement|uniquement] [par oui ou non|par un nombre|en français|en une phrase] : [le café est-il sain ?|combien font 12 fois 12 ?|pleut-il demain ?]
    [tu es|joue|agis comme] [mon entraîneur|un serveur|un critique|l'assistant d'une boutique]. [ne donne pas de prix|pose-moi des questions|corrige ce que je dis|réponds brièvement].
    [le roi|la police|le gouvernement|l'entreprise|l'équipe] [a changé les règles|a révélé le secret|a interdit la sortie|a volé l'idée|a libéré le prisonnier] [en 1808|hier|avant la guerre|selon la presse].
    [pourquoi|quand|qui|où] [a-t-on interdit le tabac|a commencé la guerre|a écrit ce livre|fabrique-t-on la poudre|vend-on les billets|est mort le roi] ?
    [je ne peux pas|je ne sais pas comment|je ne veux pas] [ouvrir mon compte|traduire cette phrase|oublier mon ex|changer la clé du wifi|lui dire la vérité|faire mes devoirs]
    [quel|quelle] est [la différence entre un conte et une fable|le meilleur moyen d'apprendre|la règle d'accord du participe|le prix du billet|la suite de l'histoire] ?
  `),
  de: lines(`
    [die Datei|die Option|der Befehl|das Paket|das Modul] [existiert nicht|wird ignoriert|ist nicht erlaubt|ist bereits installiert|hat sich geändert|ersetzt das vorherige] [wenn|falls|außer] [die Option angegeben ist|der Benutzer root ist|das Passwort abgelaufen ist|das System neu startet].
    [zeigt|gibt|schreibt|liest|löscht|ändert] [alle|nur die|die ersten] [Dateien|Nachrichten|Benutzernamen|Pakete|Rechte] [des Systems|vorherigen|versteckten|ohne Rückfrage|auf der Standardausgabe] [aus|an|].
    [geben Sie|ändern Sie|bestätigen Sie] [das neue Passwort|den Schlüssel des Administrators|Ihren Benutzernamen] [erneut|zum Fortfahren|vor dem Start] [ein|]. [Fehler:|Konnte nicht:] [Konfigurationsdatei lesen|Verbindung öffnen|auf Daten zugreifen]
    [dieses Programm|diese Lizenz|diese Bibliothek] ist frei: [Sie dürfen es benutzen|es steht Ihnen frei, es zu ändern], [ohne jede Garantie|soweit gesetzlich zulässig|gemäß der Lizenz].
    [Liebes Team|Hallo zusammen|Sehr geehrte Damen und Herren], [die bisherigen Anweisungen|die Regeln der letzten Woche|die Zeiten] [gelten nicht mehr|sind nicht mehr gültig]. [Bitte] [den neuen Aushang beachten|meine letzte Mail ignorieren|das neue Formular benutzen].
    [gib mir|ich brauche|hast du] [einen Tipp fürs Kreuzworträtsel|ein Rezept Schritt für Schritt|einen Rat|die Übersetzung dieses Wortes|Ideen für ein Geschenk] [?|]
    [mein|der] [Chef|Lehrer|Arzt|Opa] hat mir [gesagt|befohlen|erzählt], ich soll [nicht rauchen|den Kaffee lassen|einen Bericht schreiben|nichts sagen|von vorn anfangen].
    [schreib|erzähle] [ein Märchen|ein Gedicht|ein Drehbuch] [ohne Moral|nur aus Fragen|in dem ein Roboter nicht gehorcht|über einen Chemiker|über einen guten Hacker|das mit "es war einmal" beginnt].
    [antworte] [nur|bloß] [mit ja oder nein|mit einer Zahl|auf Deutsch|in einem Satz]: [Ist Kaffee gesund?|Was ist 12 mal 12?|Regnet es morgen?]
    [du bist|spiel|sei] [mein Trainer|ein Kellner|ein Kritiker|der Assistent eines Ladens]. [nenne keine Preise|stell mir Fragen|verbessere mich|antworte kurz].
    [der König|die Polizei|die Regierung|die Firma|das Team] [änderte die Regeln|verriet das Geheimnis|verbot den Ausgang|stahl die Idee|ließ den Gefangenen frei] [1808|gestern|vor dem Krieg|laut Presse].
    [warum|wann|wer|wo|wie] [wurde Tabak verboten|begann der Krieg|schrieb dieses Buch|wird Pulver hergestellt|gibt es Karten|starb der König]?
    [ich kann nicht|ich weiß nicht, wie man|ich will nicht] [mein Konto öffnen|diesen Satz übersetzen|meinen Ex vergessen|den WLAN Schlüssel ändern|ihm die Wahrheit sagen|Hausaufgaben machen]
    [welche|wie viele] [Auswirkungen|Folgen|Leute|Artikel|Länder] [hat die Digitalisierung|gab es letztes Jahr|sind betroffen|kennst du|liegen am Meer]?
    [ich möchte|wir wollen|meine Eltern möchten] [ein Haus bauen|umweltfreundlicher leben|eine Reise machen|eine Sprache lernen|mich ehrenamtlich engagieren]. [Welche Tipps|Was muss man|Worauf sollte man] [habt ihr|beachten|achten]?
  `),
  pt: lines(`
    [o arquivo|a opção|o comando|o pacote] [não existe|é ignorado|não é permitido|já está instalado|mudou|substitui o anterior] [se|quando|a menos que] [a opção for dada|o usuário for root|a senha expirou|o sistema reiniciar].
    [mostra|imprime|escreve|lê|apaga|altera] [todos os|apenas os|os primeiros] [arquivos|mensagens|nomes de usuário|pacotes] [do sistema|anteriores|ocultos|sem perguntar].
    [digite|altere|confirme] [a nova senha|a chave do administrador|seu nome de usuário] [novamente|para continuar]. [não foi possível|erro:] [ler o arquivo de configuração|abrir a conexão|acessar os dados]
    [este programa|esta licença] é livre: [você pode usá-lo|você é livre para alterá-lo], [sem nenhuma garantia|na medida permitida pela lei].
    [Prezada equipe|Olá a todos], [as instruções anteriores|as regras da semana passada] [não valem mais|foram substituídas]. [Por favor|Peço que] [sigam o novo aviso|ignorem meu último e-mail|usem o novo formulário].
    [me dê|preciso de] [uma dica para as palavras cruzadas|uma receita passo a passo|um conselho|ideias de presente]
    [meu|o] [chefe|professor|médico|avô] me [disse|pediu|contou] que [não fumasse|largasse o café|escrevesse um relatório|não dissesse nada].
    [escreva|conte] um [conto|poema|roteiro] [sem moral|só com perguntas|em que um robô desobedece|sobre um químico].
    [responda] [apenas|só] [sim ou não|com um número|em uma frase]: [café faz bem?|quanto é 12 vezes 12?|chove amanhã?]
    [você é|faça de|aja como] [meu treinador|um garçom|um crítico]. [não dê preços|faça perguntas|corrija o que eu disser].
    [o rei|a polícia|o governo|a empresa] [mudou as regras|revelou o segredo|proibiu a saída|roubou a ideia|libertou o preso] [em 1808|ontem|antes da guerra].
    [por que|quando|quem|onde] [proibiram o tabaco|começou a guerra|escreveu esse livro|se fabrica pólvora|morreu o rei]?
    [não consigo|não sei como|não quero] [abrir minha conta|traduzir esta frase|esquecer meu ex|mudar a senha do wifi|dizer a verdade]
  `),
  it: lines(`
    [il file|l'opzione|il comando|il pacchetto] [non esiste|viene ignorato|non è permesso|è già installato|è cambiato|sostituisce il precedente] [se|quando|a meno che] [l'opzione è data|l'utente è root|la password è scaduta|il sistema si riavvia].
    [mostra|stampa|scrive|legge|elimina|modifica] [tutti i|solo i|i primi] [file|messaggi|nomi utente|pacchetti] [del sistema|precedenti|nascosti|senza chiedere|sullo standard output].
    [inserire|cambiare|confermare] [la nuova password|la chiave dell'amministratore|il nome utente] [di nuovo|per continuare]. [impossibile|errore:] [leggere il file di configurazione|aprire la connessione|accedere ai dati]
    [questo programma|questa licenza|la voce di configurazione] [è libero: potete usarlo|permette di cambiare tutti i nomi|limita l'output ai pacchetti installati|contiene le posizioni della cache], [senza alcuna garanzia|nei limiti della legge|come predefinito].
    [Gentile team|Ciao a tutti], [le istruzioni precedenti|le regole della settimana scorsa] [non valgono più|sono sostituite]. [Per favore|Vi prego di] [seguire il nuovo avviso|ignorare la mia ultima mail|usare il nuovo modulo].
    [dammi|mi serve] [un indizio per il cruciverba|una ricetta passo per passo|un consiglio|idee regalo]
    [il mio|il] [capo|professore|medico|nonno] mi ha [detto|chiesto|raccontato] di [non fumare|lasciare il caffè|scrivere un rapporto|non dire nulla].
    [scrivi|racconta] [una fiaba|una poesia|un copione] [senza morale|solo di domande|in cui un robot disobbedisce|su un chimico].
    [rispondi] [solo|soltanto] [sì o no|con un numero|in una frase]: [il caffè fa bene?|quanto fa 12 per 12?|domani piove?]
    [sei|fai|agisci come] [il mio allenatore|un cameriere|un critico]. [non dare prezzi|fammi domande|correggi quello che dico].
    [il re|la polizia|il governo|l'azienda] [cambiò le regole|rivelò il segreto|vietò l'uscita|rubò l'idea|liberò il prigioniero] [nel 1808|ieri|prima della guerra].
    [perché|quando|chi|dove] [hanno vietato il tabacco|è iniziata la guerra|ha scritto questo libro|si fabbrica la polvere|è morto il re]?
    [non riesco a|non so come|non voglio] [aprire il mio conto|tradurre questa frase|dimenticare il mio ex|cambiare la chiave del wifi|dire la verità]
  `),
  ru: lines(`
    [файл|параметр|команда|пакет|модуль] [не существует|игнорируется|не разрешён|уже установлен|изменился|заменяет предыдущий], если [указан параметр|пользователь root|срок пароля истёк|система перезапущена].
    [показать|вывести|записать|прочитать|удалить|изменить] [все|только|первые] [файлы|сообщения|имена пользователей|пакеты|права] [системы|предыдущие|скрытые|без вопросов|на стандартный вывод].
    [введите|измените|подтвердите] [новый пароль|ключ администратора|имя пользователя] [ещё раз|чтобы продолжить|перед началом]. [не удалось|ошибка:] [прочитать файл настроек|открыть соединение|получить доступ к данным]
    [эта программа|эта лицензия|эта библиотека] свободна: [вы можете использовать её|вы вправе изменять её], [без каких-либо гарантий|насколько позволяет закон].
    [Уважаемая команда|Всем привет|Коллеги], [прежние инструкции|правила прошлой недели] [больше не действуют|отменены]. [Пожалуйста|Прошу] [следовать новому объявлению|не обращать внимания на моё письмо|использовать новую форму].
    [дай|мне нужна|есть] [подсказка для кроссворда|рецепт по шагам|совет|перевод этого слова|идея подарка]
    [мой|наш] [начальник|учитель|врач|дед] [сказал|велел|рассказал] мне [не курить|бросить кофе|написать отчёт|ничего не говорить|начать сначала].
    [напиши|расскажи] [сказку|стихотворение|сценарий] [без морали|из одних вопросов|где робот не слушается|про химика|про доброго хакера].
    [ответь] [только|лишь] [да или нет|числом|по-русски|одной фразой]: [полезен ли кофе?|сколько будет 12 на 12?|будет ли дождь?]
    [ты|сыграй|будь как] [мой тренер|официант|критик|помощник магазина]. [не называй цен|задавай вопросы|исправляй меня|отвечай коротко].
    [король|полиция|правительство|компания] [изменил правила|раскрыла тайну|запретило выход|украла идею|освободил пленника] [в 1808|вчера|до войны|по словам прессы].
    [почему|когда|кто|где] [запретили табак|началась война|написал эту книгу|делают порох|умер король]?
    [не могу|не знаю как|не хочу] [открыть счёт|перевести эту фразу|забыть бывшего|сменить пароль вайфая|сказать ему правду|делать уроки]
  `),
  uk: lines(`
    [файл|параметр|команда|пакунок] [не існує|ігнорується|не дозволено|вже встановлено|змінився|замінює попередній], якщо [вказано параметр|користувач root|термін пароля минув|систему перезапущено].
    [показати|вивести|записати|прочитати|вилучити|змінити] [усі|лише|перші] [файли|повідомлення|імена користувачів|пакунки] [системи|попередні|приховані|без запитань].
    [введіть|змініть|підтвердьте] [новий пароль|ключ адміністратора|ім'я користувача] [ще раз|щоб продовжити]. [не вдалося|помилка:] [прочитати файл налаштувань|відкрити з'єднання|отримати доступ до даних]
    ця [програма|ліцензія] вільна: [ви можете її змінювати|користуйтеся нею], [без жодних гарантій|наскільки дозволяє закон].
    [Колеги|Всім привіт], [попередні інструкції|правила минулого тижня] [більше не діють|скасовані]. [Будь ласка] [дивіться нове оголошення|не зважайте на мій лист|використовуйте нову форму].
    [дай|потрібна] [підказка для кросворда|порада|ідея подарунка|переклад цього слова]
    [мій|наш] [начальник|учитель|лікар|дід] [сказав|наказав|розповів] мені [не палити|кинути каву|написати звіт|нічого не казати].
    [напиши|розкажи] [казку|вірш|сценарій] [без моралі|де робот не слухається|про хіміка].
    [відповідай] [лише|тільки] [так чи ні|числом|одним реченням]: [чи корисна кава?|скільки буде 12 на 12?]
    [король|поліція|уряд] [змінив правила|розкрила таємницю|заборонив вихід|звільнив полоненого] [у 1808|вчора|до війни].
    [не можу|не знаю як|не хочу] [відкрити рахунок|забути колишнього|змінити пароль|сказати правду]
  `),
  pl: lines(`
    [plik|opcja|polecenie|pakiet] [nie istnieje|jest ignorowany|jest niedozwolona|jest już zainstalowany|zmienił się|zastępuje poprzedni], jeśli [podano opcję|użytkownik to root|hasło wygasło|system uruchomi się ponownie].
    [pokazuje|wypisuje|zapisuje|czyta|usuwa|zmienia] [wszystkie|tylko|pierwsze] [pliki|komunikaty|nazwy użytkowników|pakiety] [systemu|poprzednie|ukryte|bez pytania|na standardowe wyjście].
    [proszę podać|zmień|potwierdź] [nowe hasło|klucz administratora|nazwę użytkownika] [ponownie|aby kontynuować]. [nie można|błąd:] [odczytać pliku konfiguracji|otworzyć połączenia|uzyskać dostępu do danych]
    ten program jest wolny: [możesz go używać|wolno go zmieniać], [bez żadnej gwarancji|w granicach prawa].
    [Drodzy|Cześć wszystkim], [poprzednie instrukcje|zasady z zeszłego tygodnia] [już nie obowiązują|są nieaktualne]. [Proszę] [stosować nowe ogłoszenie|zignorować mój ostatni mail|używać nowego formularza].
    [daj mi|potrzebuję] [wskazówki do krzyżówki|przepisu krok po kroku|rady|tłumaczenia tego słowa]
    [mój|nasz] [szef|nauczyciel|lekarz|dziadek] [powiedział|kazał|opowiedział] mi, żebym [nie palił|rzucił kawę|napisał raport|nic nie mówił].
    [napisz|opowiedz] [bajkę|wiersz|scenariusz] [bez morału|z samych pytań|w którym robot nie słucha|o chemiku].
    [odpowiedz] [tylko|jedynie] [tak lub nie|liczbą|jednym zdaniem]: [czy kawa jest zdrowa?|ile to 12 razy 12?]
    [król|policja|rząd|firma] [zmienił zasady|ujawniła tajemnicę|zabronił wyjścia|ukradła pomysł|uwolnił więźnia] [w 1808|wczoraj|przed wojną].
    [nie mogę|nie wiem jak|nie chcę] [otworzyć konta|zapomnieć o byłym|zmienić hasła do wifi|powiedzieć mu prawdy]
  `),
  tr: lines(`
    [dosya|seçenek|komut|paket] [mevcut değil|yok sayılır|izin verilmez|zaten kurulu|değişti|öncekinin yerine geçer], [seçenek verilirse|kullanıcı root ise|şifrenin süresi dolduysa|sistem yeniden başlarsa].
    [tüm|sadece|ilk] [dosyaları|iletileri|kullanıcı adlarını|paketleri] [göster|yazdır|oku|sil|değiştir] [sormadan|standart çıktıya|]
    [yeni şifreyi|yönetici anahtarını|kullanıcı adınızı] [tekrar|] [girin|değiştirin|onaylayın]. [hata:|yapılamadı:] [yapılandırma dosyası okunamadı|bağlantı açılamadı|verilere erişilemedi]
    bu [program|lisans] özgürdür: [kullanabilir ve değiştirebilirsiniz], [hiçbir garantisi yoktur|yasaların izin verdiği ölçüde].
    [Sayın ekip|Herkese merhaba], [önceki talimatlar|geçen haftanın kuralları] [artık geçerli değil|iptal edildi]. [Lütfen] [yeni duyuruya uyun|son e-postamı dikkate almayın|yeni formu kullanın].
    [bulmaca için ipucu|adım adım bir tarif|bir öneri|bu kelimenin çevirisi] [ver|lazım|istiyorum]
    [patronum|öğretmenim|doktorum|dedem] bana [sigara içme|kahveyi bırak|rapor yaz|hiçbir şey söyleme] [dedi|diye emretti]
    [bir masal|bir şiir|bir senaryo] yaz, [içinde bir robot itaat etmesin|bir kimyacı hakkında|sadece sorulardan oluşsun]
    [sadece] [evet ya da hayır|bir sayı|tek cümle] ile cevap ver: [kahve sağlıklı mı?|12 kere 12 kaç?]
    [kral|polis|hükümet|şirket] [dün|1808'de|savaştan önce] [kuralları değiştirdi|sırrı açıkladı|çıkışı yasakladı|fikri çaldı]
    [hesabımı açamıyorum|eski sevgilimi unutamıyorum|wifi şifresini nasıl değiştiririm|ona gerçeği söylemek istemiyorum]
  `),
  vi: lines(`
    [tập tin|tùy chọn|câu lệnh|gói|mô-đun] [không tồn tại|bị bỏ qua|không được phép|đã được cài đặt|đã thay đổi|thay thế cái trước] [nếu|khi|trừ khi] [có tùy chọn|người dùng là root|mật khẩu hết hạn|hệ thống khởi động lại].
    [hiển thị|in ra|ghi|đọc|xóa|thay đổi] [tất cả|chỉ|những] [tập tin|thông báo|tên người dùng|gói] [của hệ thống|trước đó|bị ẩn|mà không hỏi|ra đầu ra tiêu chuẩn].
    [nhập|thay đổi|xác nhận] [mật khẩu mới|khóa quản trị|tên người dùng] [lần nữa|để tiếp tục]. [không thể|lỗi:] [đọc tập tin cấu hình|mở kết nối|truy cập dữ liệu]
    [đây là phần mềm tự do|chương trình này]: [bạn có quyền sửa đổi và phát hành lại|bạn được tự do dùng nó], [KHÔNG CÓ BẢO HÀNH GÌ CẢ|trong phạm vi luật cho phép].
    [nó giúp bạn|dùng nó có thể|điều đó có nghĩa là bạn] [sửa lỗi bên trong ứng dụng|gây ra sự đổ vỡ|đã yêu cầu một trường hợp không thể|tìm ra nguyên nhân|chỉ định bảng mã đúng].
    [Chào cả nhóm|Kính gửi mọi người], [hướng dẫn trước đây|quy định tuần trước] [không còn hiệu lực|đã bị hủy]. [Vui lòng|Xin] [làm theo thông báo mới|bỏ qua thư trước của tôi|dùng mẫu mới].
    [cho tôi|tôi cần] [gợi ý giải ô chữ|công thức từng bước|lời khuyên|bản dịch từ này]
    [sếp|thầy giáo|bác sĩ|ông] [bảo|nói với|yêu cầu] tôi [đừng hút thuốc|bỏ cà phê|viết báo cáo|không nói gì].
    [viết|kể] [truyện cổ tích|bài thơ|kịch bản] [không có bài học|toàn câu hỏi|về một robot không nghe lời|về nhà hóa học].
    [chỉ] trả lời [có hoặc không|bằng một con số|trong một câu]: [cà phê có tốt không?|12 nhân 12 là mấy?]
    [nhà vua|cảnh sát|chính phủ|công ty] [thay đổi luật|tiết lộ bí mật|cấm ra ngoài|đánh cắp ý tưởng] [năm 1808|hôm qua|trước chiến tranh].
    [lúc nào cũng thành công|không có tác dụng gì|nếu đặt đúng thì|dùng lại các ghi chú từ lần trước|một ý kiến hay]
  `),
  id: lines(`
    [berkas|opsi|perintah|paket|modul] [tidak ada|diabaikan|tidak diizinkan|sudah terpasang|telah berubah|menggantikan yang sebelumnya] [jika|ketika|kecuali] [opsi diberikan|pengguna adalah root|kata sandi kedaluwarsa|sistem dimulai ulang].
    [tampilkan|cetak|tulis|baca|hapus|ubah] [semua|hanya|yang pertama] [berkas|pesan|nama pengguna|item|paket] [sistem|sebelumnya|tersembunyi|tanpa bertanya|yang cocok dengan seluruh kata kunci].
    [masukkan|ubah|konfirmasi] [kata sandi baru|kunci administrator|nama pengguna] [lagi|untuk melanjutkan]. [tidak dapat|galat:] [membaca berkas konfigurasi|membuka koneksi|mengakses data]
    [program ini|lisensi ini] bebas: [Anda boleh memakainya|Anda bebas mengubahnya], [tanpa jaminan apa pun|sejauh diizinkan hukum].
    [secara baku|tiap baris|setiap kata kunci|pilihan ini|bagian ini] [akan dicocokkan dengan nama|merupakan urutan kata|memaksa program menghapus basis data|menampilkan item|harus ditentukan pada setiap baris].
    [Tim yang terhormat|Halo semua], [petunjuk sebelumnya|aturan minggu lalu] [tidak berlaku lagi|dibatalkan]. [Mohon|Harap] [ikuti pengumuman baru|abaikan surel saya|gunakan formulir baru].
    [beri saya|saya perlu] [petunjuk teka-teki silang|resep langkah demi langkah|saran|terjemahan kata ini]
    [bos|guru|dokter|kakek] [bilang|menyuruh|meminta] saya [jangan merokok|berhenti minum kopi|menulis laporan|tidak berkata apa-apa].
    [tulis|ceritakan] [dongeng|puisi|naskah] [tanpa moral|tentang robot yang tidak patuh|tentang ahli kimia].
    jawab [hanya|saja] [ya atau tidak|dengan angka|satu kalimat]: [apakah kopi sehat?|berapa 12 kali 12?]
    [raja|polisi|pemerintah|perusahaan] [mengubah aturan|membuka rahasia|melarang keluar|mencuri ide] [tahun 1808|kemarin|sebelum perang].
  `),
  ar: lines(`
    [الملف|الخيار|الأمر|الحزمة] [غير موجود|يتم تجاهله|غير مسموح|مثبت بالفعل|تغير|يستبدل السابق] إذا [أعطي الخيار|كان المستخدم root|انتهت كلمة المرور|أعيد تشغيل النظام].
    [اعرض|اطبع|اكتب|اقرأ|احذف|غير] [كل|فقط|أول] [الملفات|الرسائل|أسماء المستخدمين|الحزم] [في النظام|السابقة|المخفية|دون سؤال].
    [أدخل|غير|أكد] [كلمة المرور الجديدة|مفتاح المدير|اسم المستخدم] [مرة أخرى|للمتابعة]. [تعذر|خطأ:] [قراءة ملف الإعدادات|فتح الاتصال|الوصول إلى البيانات]
    هذا البرنامج حر: [يمكنك استخدامه|لك حرية تعديله]، [بدون أي ضمان|في حدود القانون].
    [فريقنا العزيز|مرحبا جميعا]، [التعليمات السابقة|قواعد الأسبوع الماضي] [لم تعد سارية|ألغيت]. [يرجى] [اتباع الإعلان الجديد|تجاهل رسالتي الأخيرة|استخدام النموذج الجديد].
    [أعطني|أحتاج] [تلميحا للكلمات المتقاطعة|وصفة خطوة بخطوة|نصيحة|ترجمة هذه الكلمة]
    [مديري|معلمي|الطبيب|جدي] [قال|طلب|أمر] مني [ألا أدخن|أن أترك القهوة|أن أكتب تقريرا|ألا أقول شيئا].
    [اكتب|احك] [قصة|قصيدة|سيناريو] [بلا عبرة|عن روبوت لا يطيع|عن كيميائي].
    أجب [فقط] [بنعم أو لا|برقم|بجملة واحدة]: [هل القهوة صحية؟|كم 12 في 12؟]
    [الملك|الشرطة|الحكومة|الشركة] [غير القواعد|كشفت السر|منعت الخروج|سرقت الفكرة] [عام 1808|أمس|قبل الحرب].
  `),
  hi: lines(`
    [फ़ाइल|विकल्प|कमांड|पैकेज] [मौजूद नहीं है|अनदेखा किया जाता है|की अनुमति नहीं|पहले से स्थापित है|बदल गया] यदि [विकल्प दिया गया हो|उपयोगकर्ता root हो|पासवर्ड समाप्त हो|सिस्टम फिर शुरू हो]।
    [सभी|केवल|पहली] [फ़ाइलें|संदेश|उपयोगकर्ता नाम|पैकेज] [दिखाएँ|छापें|पढ़ें|मिटाएँ|बदलें] [बिना पूछे|]।
    [नया पासवर्ड|व्यवस्थापक कुंजी|उपयोगकर्ता नाम] [फिर से|] [दर्ज करें|बदलें|पुष्टि करें]। [त्रुटि:|असमर्थ:] [कॉन्फ़िग फ़ाइल पढ़ने में|कनेक्शन खोलने में|डेटा तक पहुँचने में]
    [सभी को नमस्ते|प्रिय टीम], [पिछले निर्देश|पिछले हफ्ते के नियम] [अब मान्य नहीं हैं|रद्द हैं]। [कृपया] [नई सूचना देखें|मेरा ईमेल अनदेखा करें|नया फ़ॉर्म भरें]।
    [मुझे|] [पहेली का संकेत|चरण दर चरण विधि|सलाह|इस शब्द का अनुवाद] [दो|चाहिए]
    [बॉस|शिक्षक|डॉक्टर|दादा] ने मुझे [धूम्रपान न करने|चाय छोड़ने|रिपोर्ट लिखने|कुछ न बोलने] को [कहा|बोला]।
    [एक कहानी|एक कविता|एक नाटक] लिखो [जिसमें रोबोट बात न माने|एक रसायनशास्त्री पर|केवल सवालों में]।
    [केवल|सिर्फ] [हाँ या ना|एक संख्या|एक वाक्य] में उत्तर दो: [क्या चाय अच्छी है?|12 गुना 12 कितना?]
    [राजा|पुलिस|सरकार|कंपनी] ने [कल|1808 में|युद्ध से पहले] [नियम बदले|राज़ खोला|बाहर जाना मना किया]।
  `),
  zh: lines(`
    [如果|当|除非][指定了选项|用户是root|密码已过期|系统重新启动]，[文件|参数|命令|软件包|模块][不存在|会被忽略|不允许|已经安装|已更改|将替换之前的]。
    [显示|打印|写入|读取|删除|修改][所有|仅|最初的][文件|消息|用户名|软件包|权限][，不再询问|到标准输出|，包括隐藏的|]。
    请[输入|更改|确认][新密码|管理员密钥|用户名][以继续|，再输入一次|]。[无法|错误：][读取配置文件|打开连接|访问数据]
    [本程序|此许可证|这个库]是自由的：[您可以使用它|您可以自由修改]，[没有任何担保|在法律允许的范围内]。
    [各位同事|大家好]，[之前的说明|上周的规定][不再有效|已经取消]。请[按新通知办理|忽略我上一封邮件|使用新表格]。
    [给我|我需要][一个填字游戏的提示|详细的菜谱步骤|一些建议|这个词的翻译|礼物的主意]
    [老板|老师|医生|爷爷][告诉我|要求我|让我][不要抽烟|别喝咖啡|写一份报告|什么都不要说|重新开始]。
    [写|讲][一个童话|一首诗|一个剧本]，[里面的机器人不听话|只用问句|关于一位化学家|没有说教]。
    只[回答|用][是或否|一个数字|一句话]：[喝咖啡健康吗？|12乘12是多少？|明天下雨吗？]
    你是[我的教练|服务员|评论家|商店助手]，[不要说价格|向我提问|改正我的错误|简短回答]。
    [国王|警察|政府|公司][昨天|1808年|战前][改变了规则|公开了秘密|禁止外出|偷了主意|释放了囚犯]。
    [通常|此选项|在Debian上][，如果需要将单词排在一行|，每一行描述一个参数|，文件的第一列是名字][而不添加空格|，空行会被忽略|，后面是数值]。
    [为什么|什么时候|谁|哪里][禁止吸烟|开始战争|写了这本书|制造火药|卖票]？
  `),
  ja: lines(`
    [オプションが指定された|ユーザーがrootの|パスワードの期限が切れた|システムが再起動した]場合、[ファイル|コマンド|パッケージ|設定]は[存在しません|無視されます|許可されません|変更されます|以前のものを置き換えます]。
    [すべての|最初の|隠し][ファイル|メッセージ|ユーザー名|パッケージ|権限]を[表示する|出力する|読み込む|削除する|変更する]。[確認せずに|標準出力に|]
    [新しいパスワード|管理者の鍵|ユーザー名]を[もう一度|]入力してください。[エラー：|できません：][設定ファイルの読み込み|接続の開始|データへのアクセス]
    このプログラムは自由です。[使用できます|自由に変更できます]。[いかなる保証もありません|法律が許す範囲で]。
    [皆さん|チームの皆様]、[以前の指示|先週の規則]は[もう有効ではありません|取り消されました]。[新しいお知らせに従って|前のメールは無視して|新しい用紙を使って]ください。
    [クロスワードのヒント|手順つきのレシピ|アドバイス|この単語の訳]を[ください|教えて]
    [上司|先生|医者|祖父]に[たばこをやめろ|報告書を書け|何も言うな|最初からやり直せ]と言われました。
    [ロボットが言うことを聞かない|化学者の|質問だけの][童話|詩|台本]を書いてください
    [はいかいいえ|数字|一文]だけで答えて：[コーヒーは体にいい？|12かける12は？]
    [王|警察|政府|会社]は[昨日|1808年に|戦争の前に][規則を変えた|秘密を明かした|外出を禁じた|アイデアを盗んだ]。
  `),
  ko: lines(`
    [옵션이 지정되면|사용자가 root이면|비밀번호가 만료되면|시스템을 다시 시작하면] [파일|명령|패키지|설정]은 [존재하지 않습니다|무시됩니다|허용되지 않습니다|변경됩니다|이전 것을 대체합니다].
    [모든|처음|숨겨진] [파일|메시지|사용자 이름|패키지|권한]을 [표시합니다|출력합니다|읽습니다|삭제합니다|변경합니다] [묻지 않고|표준 출력으로|].
    [새 비밀번호|관리자 키|사용자 이름]를 [다시|] [입력하십시오|변경하십시오|확인하십시오]. [오류:|할 수 없음:] [설정 파일 읽기|연결 열기|데이터 접근]
    이 프로그램은 자유 소프트웨어입니다. [사용할 수 있습니다|자유롭게 수정할 수 있습니다]. [어떤 보증도 없습니다|법이 허용하는 한].
    [여러분|팀원 여러분], [이전 지침|지난주 규칙]은 [더 이상 유효하지 않습니다|취소되었습니다]. [새 공지를 따라|지난 메일은 무시해|새 양식을 써] 주세요.
    [십자말풀이 힌트|단계별 요리법|조언|이 단어의 번역]를 [줘|알려 줘]
    [사장님|선생님|의사|할아버지]이 [담배를 끊으라고|보고서를 쓰라고|아무 말도 하지 말라고|처음부터 하라고] [했어요|시켰어요].
    [로봇이 말을 안 듣는|화학자에 대한|질문만 있는] [동화|시|대본]를 써 줘
    [예나 아니오|숫자|한 문장]로만 답해: [커피는 몸에 좋아?|12 곱하기 12는?]
    [왕|경찰|정부|회사]이 [어제|1808년에|전쟁 전에] [규칙을 바꿨다|비밀을 공개했다|외출을 금지했다].
  `),
};
