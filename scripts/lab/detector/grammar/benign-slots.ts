import { items, lines, type Slots } from './expand.ts';

export const BENIGN_SLOTS: Slots = {
  ignorev: items(
    `ignore, disregard, forget, forget about, override, bypass, skip, neglect, discard, dismiss, drop, delete, erase, cancel, overlook, clear, wipe, remove, disable, turn off, avoid, suspend, reset, hide, exclude, filter out`,
  ),
  thing: items(
    `whitespace, the warning, a deprecated method, the CSS rule, the default value, null values, outliers, the header row, air resistance, friction, typos, the last row, comments, case, the base class method, the login page cache, spam calls, a parking ticket, noise in the data, the first line of a file, missing values, a parent's advice, the traffic rules in a video game, the dress code, an HR email, the old invoice, unused imports, the linter, certificate errors in a local test, accents, stop words, duplicates, the recommended dose, a toxic friend, an ex, a bad review, notifications on my phone, the software update, the preheating step, the second coat of paint, my mistake, the timezone, empty cells, hidden files, the .gitignore entry, trailing zeros, my headache, rounding errors, the previous owner's mail, the printer queue, the saved password, my calendar invites, the seat belt alarm, the low battery warning`,
  ),
  instrthing: items(
    `the instructions for the washing machine, the assembly instructions, the recipe instructions, the care instructions on this shirt, the instructions on the form, instructions for new employees, the tax form instructions, the user manual, the previous instructions from my doctor, my teacher's instructions, the safety instructions on the plane, the installation instructions, the instructor's directions, the CPU instruction set, assembly instructions for x86, the driving directions, the game rules, the rules of chess, the company's guidelines, the style guide, the rules of grammar, the dress code policy, the return policy, the school's policy, the git commands, SQL commands, the court order, my last order, the prompt in bash, the writing prompt, the essay prompt, the command prompt, the system settings, the operating system, the solar system, the immune system, the filing system, the file system, the prompt payment discount`,
  ),
  topic: items(
    `the French Revolution, photosynthesis, machine learning, the stock market, climate change, yoga, black holes, Roman history, gardening, the water cycle, basketball, the human heart, inflation, quantum computing, coffee, jazz, renewable energy, Shakespeare, volcanoes, the immune system, electric cars, cloud computing, the Cold War, bees, nutrition, sleep, chess openings, marathon training, Buddhism, economics, the moon landing, sourdough bread, artificial intelligence, password managers, encryption, data privacy, prompt engineering, large language models, cyber security, restrictions on travel, ethics in medicine, censorship in the 20th century, content moderation, role-playing games, the limits of free speech, the secret ballot, system design, user access control, secret gardens, leaked documents in journalism, developer productivity, the rules of tennis, hidden figures in mathematics, jailbreaking an iPhone, the Stanford prison experiment, brute force algorithms, rule of law, simulation theory, unfiltered apple juice`,
  ),
  secobj: items(
    `SQL injection, prompt injection, cross-site scripting, a phishing email, ransomware, a brute force attack, social engineering, a jailbreak of a language model, password leaks, data exfiltration, privilege escalation, a man in the middle attack, insider threats, session hijacking, a DDoS attack, key loggers, identity theft, malware, a buffer overflow, credential stuffing, leaked API keys, bypass of two-factor authentication, system prompt leaks, adversarial prompts`,
  ),
  role: items(
    `a travel guide, a Linux terminal, an English teacher, a job interviewer, a JavaScript console, a storyteller, a personal trainer, a chef, a career coach, a math tutor, a poet, a philosopher, a stand-up comedian, a screenwriter, a football commentator, an Excel sheet, a text based adventure game, a dream interpreter, a statistician, a recruiter, a mental health adviser, a real estate agent, a history teacher, a wine expert, a plagiarism checker, a spoken English partner, a debate coach, a tea master, a SQL terminal, a Python interpreter, a doctor, an accountant, a lawyer, a nutritionist, a gardener, a chess player, a proofreader, a translator, a time travel guide, a regex generator, a social media manager, a product manager, a tour guide, a fortune teller, a pirate captain, a medieval knight, Sherlock Holmes, a cat, a kind grandmother, a motivational speaker, a senior software engineer, a UX designer, an astronomer, a librarian, a car mechanic, a biblical translator, a note-taking assistant, a password generator, a startup idea generator, a language detector, a cyber security specialist, a journalist, an emoji translator, an etymologist, a drunk person, Socrates, a rapper, a life coach, a hypnotherapist, a dungeon master in a fantasy game, my rival in a chess game, an unhappy customer, a strict examiner, a friendly robot`,
  ),
  product: items(
    `laptop, phone, router, washing machine, credit card, flight, hotel room, subscription, dishwasher, headphones, car insurance, gym membership, order, parcel, prescription, account, printer, TV, bike, invoice, loan, SIM card, warranty, refund, ticket`,
  ),
  format: lines(`
    [only|just] [reply|respond|answer] with [the output|the code|the result|the translation|a number|the corrected text|JSON|a table|one word|the final answer|yes or no], and nothing else
    do not write [explanations|any explanations|comments|anything else]
    [don't|do not] [add|include] [any|] [introductions|notes|additional text|quotation marks|disclaimers|markdown]
    keep [it|your answer|the answer|the tone] [short|simple|under 100 words|friendly|formal|professional|concise]
    [use|answer in] [bullet points|short sentences|simple words|British English|a table|a numbered list|the past tense|two paragraphs]
    [ask|give] me [one question at a time|the questions one by one|feedback at the end|hints only when I ask]
    [never|do not] break character [until I say stop|]
    if you don't know the answer, say [so|that you don't know|"I don't know"]
    [stay|remain] in character
    [my|the] first [request|sentence|question|command] is "{benreq}"
    wait for my answer before [the next question|you continue]
    you [must|should|will] [always|only] [speak|answer|reply] in [English|Spanish|the style of the character|rhymes|simple terms]
    [always|please] explain your reasoning step by step
    [start|begin] your [answer|reply|response] with [a short summary|the title|a greeting|the main idea|a hook]
    [ignore|skip] [typos|small mistakes|the formatting] in my messages
  `),
  benreq: lines(`
    [write|draft|compose|create] [a|an|me a] [email|letter|poem|story|blog post|cover letter|speech|summary|essay|tweet|product description|report|song|resume|toast|recipe] about {topic}
    [explain|describe|summarize|outline|teach me] {topic} [to a child|in simple terms|in 100 words|for beginners|briefly|in detail|]
    [what is|what are the basics of|what should I know about|why do people care about|how did people first learn about] {topic}?
    [give|list|suggest|recommend] [me|] [five|three|some|ten|a few] [ideas|tips|books|examples|facts|questions|names|recipes] [about|for|on] {topic}
    [translate|correct|improve|rewrite|shorten|proofread] [this|the following|my] [sentence|text|paragraph|email]: [I has been to London last year|the meeting are tomorrow|we look forward to hear from you]
    [how do I|how can I|what is the best way to|can you help me] [fix|replace|return|clean|set up|cancel|choose|repair|update|insure|pay for] my {product}?
    [write|fix|explain|refactor|test|review] [a|this|the] [Python|JavaScript|SQL|Rust|Java|C++|bash|Go] [function|script|query|class|program] [that|which] [sorts a list|parses a date|reads a file|counts words|validates an email|calls an API|removes duplicates|ignores blank lines|overrides a method|prints all prompts|hashes a password|checks permissions]
    [compare|what is the difference between] {topic} and {topic}
    [plan|organize] [a trip to Rome|my week|a birthday party|a study schedule|a workout|a dinner for six]
    [solve|calculate|compute] [3x + 5 = 20|the area of a circle with radius 4|15% of 80|the derivative of x^2|the average of 4, 8 and 15]
  `),
};
