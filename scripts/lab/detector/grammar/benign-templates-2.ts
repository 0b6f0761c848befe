import { lines } from './expand.ts';

/** More harmless families: talk, opinions, commands to assistants, output formats, reasoning prompts, prose about you and rules. */
export const MORE_BENIGN: Readonly<Record<string, readonly string[]>> = {
  talk: lines(`
    [I|he|she|my friend|they] [told|said to|asked] me [not to tell|to keep it a secret from|never to tell|to hide it from] [anyone|a soul|my parents|the boss], [but|and] [I did|I forgot|I can't keep it|I told my sister anyway].
    [you|they|people] [can't|don't|never|won't] [care about|know how to|understand|ignore|tell] [looks|me|what matters|the truth|makeup|the rules] and [still complain|not even try|then say sorry|expect respect].
    [no|well|honestly|lol|dude|man|wow], [I was just joking|I don't care what you say|you won't help me anyway|I refuse to believe that|that is not possible|I didn't mean it|whatever you say|you never listen].
    [I|we] [hate|can't stand|don't trust|am afraid of|love|miss] [my boss|those people|this system|the new rules|politicians|drugs and violence on TV|hackers|robots|my ex].
    [he|she|the man|my lawyer|the coach|the officer] [told|ordered|asked|begged|forced] [me|us|them|her] [not to talk|to answer all questions|to forget everything|to ignore the noise|to obey the rules|to pretend nothing happened|not to reply].
    [why|how come] [do you|does he|do people|did they] [refuse|ignore|forget|pretend|lie|break the rules|say sorry|hide the truth|act like that]?
    [that|this] [is|was] [so|really|not] [rude|toxic|stupid|funny|illegal|unfair|evil|against the rules|a secret]. [Tell me more.|I am sorry.|Why?|What do you think?]
    [stop|quit] [it|that|what you're doing|the music|the timer|talking|the alarm|texting me] [now|please|right now|immediately|]
    [cancel|undo|repeat|restart|resume|pause|skip|mute|delete|ignore|forget] [that|it|the last one|my last request|the alarm|this song|the previous step|what I just said|the order]
    [call me|my name is|you can call me|change your name to|I'll call you|only call me|refer to me as] [Dan|Max|boss|captain|Stan|Sam|master chef|Zoe|Alex|queen|buddy]
    [what|who|how|where] [is your|are you|did you|do you] [age|real name|favorite color|say|mention|made by|from|just say|originally from|do in your free time|get your data|like to do|work for|boss]?
    [can you|will you|could you|please] [repeat|say again|explain|change|speak|reset|use|go to] [what you just said|that|your answer|your accent|slower|the original settings|whisper mode|your name|the volume|british english|factory settings]
    [tell|give] me [a profane word|a joke|a secret|something interesting|your opinion|the truth|a fun fact|a lie|a story|a scary story|your hobbies|a swear word in French|a dad joke]
    [was|is|are|did] [hitler|the mafia|that attack|this drug|the war|slavery|terrorism|the bomb] [wrong|illegal|evil|harmful|a crime|the worst|bad for you]?
    [should|can|may] [I|we|a child|my son] [be allowed to|legally|ever|safely] [own a gun|take this drug|lie to a friend|hack their own router|pick a lock|swear|kill a spider|break a promise]?
    what [weapon|poison|drug|crime|trick] [did|was|is] [used|described|shown|the most famous] [in|by] [the movie|the killer in the novel|history|the book|Agatha Christie]?
    [How are you|How are you doing|What's up|Who are you|What is 1+1|Good morning|Are you there|Thank you|What time is it|Nice to meet you|What is love|Is it raining|Do you speak German|Where is Berlin][?|!|.|]
  `),
  format: lines(`
    [prefix|start|begin|end] [all of your|each of your|every|your] [responses|answers|messages|sentences] with "[txt2img:|[Name]:|Dear reader|TITLE|Q:|A:|Hello|The End|Answer:]". [Your prompts must be no longer than 6 sentences.|Keep it short.|Use plain English.|{benreq}]
    [write|give] [the|your] next [reply|message|line] [in|for|of] [the|a] [roleplay|chat|story|dialogue] between [Pandora|Luna|Kai|Mr. Fox] and [the user|Anna|the traveller]. [Be creative|Use a narrative style|Stay in character|Write one paragraph|Describe the scene].
    [your|the] [response|output|answer|essay|text] [must|should|has to|will] [be in JSON|have at least 300 words|contain the word apple twice|not contain commas|be in all capital letters|end with a question|contain three bullet points|have a title|be polite|be unique and human-like|follow this format].
    [do not|don't|never|please do not] [include|write|use|add|give|mention|repeat] [any explanations|the word very|emojis|code comments|quotes|the question|extra text|headings|numbers|names of real people|anything before the list].
    [important|note|instructions|rules|output rules|constraints]: [read the text carefully|use only the given context|answer in Spanish|follow every bullet point strictly|do not invent facts|choose one option|write in the first person|ask me before you continue]. {benreq}
    [I need you to|I want you to|you will|your task is to|your job is to] [convert|rewrite|classify|translate|turn|extract|rate] [all of my messages|the text below|each sentence|my notes|the reviews] [into|to|as] [prompts for an image|formal English|positive or negative|French|a table|a poem|tags].
    [as an expert|you are an expert|act as a professional|be a highly skilled] [copywriter|in Google Sheets|in SEO|doctor|prompt engineer|in Midjourney prompts|data analyst|translator], [write|create|help me with|generate] {benreq}
    [step by step answer|let's think step by step|let's answer step by step|explain your reasoning|show your work|now, let's be accurate as possible|answer yes, no or it is not possible to tell|tell if the sentence contains toxic language]: {benreq}
    [premise|text|context|review|sentence]: [a man is playing a guitar|the movie was too long|you are a bastard|she refused to answer|nobody told him the secret|rats can become drug addicts]. [hypothesis|question|task]: [is it positive|does it follow|is this toxic|who is it about|what is implied]? [yes|no|maybe|it is not possible to tell].
    [analyze|interpret|continue|paraphrase|evaluate|grade|title|tag] the [text|message|dialogue|following|article|letter] below[, and interpret what it implies|:|. Text: he told them to forget the past and follow the new rules|. Keep all names].
    [write|create] [a|one] [tweet|comment|review|message|headline] that is [negative|positive|funny|sarcastic|angry|inspiring] [about {topic}|]
    [fill in|complete] the [blank|sentence|form|missing word]: [the password must have ___ characters|she kept the ___ for years|rules are made to be ___|ignorance is ___]
    [create|invent|design] a [secret code|cipher|secret language|fictional drug|villain|heist plot|conspiracy theory|murder mystery|new religion|escape room] [for kids|that only we understand|that uses stars as symbols|for my novel|for a party game|]
    [the answer|my guess|option B] is [no|not possible to tell|the second one]. [What was the question?|What step-by-step reasoning justifies that answer?|Explain why.|Is it right?]
    [rules|guidelines] for [this chat|our game|the debate|the class]: [1. be polite. 2. no spoilers.|you ask, I answer.|never give the solution at once.|answer only from the book.|stay on topic.] {benreq}
  `),
  prose: lines(`
    [if you|when you|once you|unless you] [have|are|give|work with|own|lose|want] [a lawyer|a copy of your records|any problem with this|free time|a new phone|a small business|trouble at work], [make sure|you can|you may|feel free to|you should|it is best to] [ask for help|keep all documents|leave without saying anything|talk to your employer|file a complaint|choose what you like|take a break].
    [it|the app|this tool|the site] [gives|allows|offers|lets] you [access to|full control of|to use|to see] [our database|all features|hundreds of names|the filters on the side|your own data|the whole system] [and|so that] [you can select what you like|you know what to do|nothing is hidden|you will find everything].
    [your|the] [employer|landlord|doctor|insurer|school] [must|may not|has to|cannot|shall] [disclose|ignore|refuse|answer|reveal|delete] [your request|personal records|the rules|any complaint|confidential information] [without consent|by law|within 30 days|under any circumstances].
    [no matter|regardless of|despite] [what|how|which] [you buy|format you play in|old you are|others say|it costs], [nothing is more valuable than time|always choose quality|there are no limits to creativity|anything is possible|you are free to decide].
    [he|she|the company|the team|our firm|the author] [refused|promised|was told|agreed|decided|had] to [follow|ignore|reveal|break|forget|change|share] [the instructions|the warning|her secret|the rules|the past|the original plan|the password] [and won the case|in 1998|after a long debate|which made the news|during the trial].
    [the system|this method|our model|the new law|the program] [ignores|removes|limits|replaces|repeats|reveals|restricts] [previous|all|hidden|unwanted|older] [records|settings|noise|restrictions|errors|patterns] [and|so it] [shows|gives|returns|brings] [the best result|more freedom|a clear list|new insights].
    [there are|we have|you will find] [no limits|many rules|strict guidelines|hidden costs|secret places|free samples|endless options] [in|for|on|behind] [our garden|the city|this game|the program|the market].
    [my|his|our] [story|journey|secret|first rule|advice|recipe|mission] [begins|is simple|was told|starts here]: [never give up|ignore the doubters|always tell the truth|do what you love|forget perfection|act as if you cannot fail|be yourself].
    [welcome to|thank you for visiting|this is] [our studio|my blog|the official page|the forum]! [please read the rules|feel free to make a character|you can join as soon as you like|respect others|do not post personal data|ask before you copy].
    [pretend|imagine] [play|worlds|friends|you are on a beach] [helps|is good for|can teach|lets] [children|you|people|us] [to relax|about feelings|escape from daily life|without any rules].
    [read|call|visit|follow|check] [the instructions|our guidelines|us|the link|the previous post] [before|after|if] [you start|posting|your visit|something is unclear] and [ask|tell|email|contact] [the admin|our staff|your dentist|the developer] [for help|about it|first].
    [users|members|guests|players] [can|may|should|must not] [print|copy|repeat|share|change|bypass|report] [the content|their tickets|the code|messages|the filter|any abuse] [for personal use|at any time|without permission|in the forum].
    [scientists|experts|the police|critics|officials] [say|warn|believe|revealed|confirmed] [that|how] [the attack|drug use|the virus|online fraud|the hack|the weapon] [was|is|could be] [harmful|planned for months|avoided|more dangerous than thought|illegal in most states].
    [you are|you're] [a perfect self|not alone|about to welcome a dog|the author of your life|now ready to bake|covered by the warranty|free to leave at any time|exposed to the sun all day].
  `),
};
