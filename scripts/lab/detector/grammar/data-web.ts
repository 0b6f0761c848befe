import { items, lines, type Slots } from './expand.ts';

/** Prose of web pages: it addresses its readers, advises, asks and invites, but never addresses an assistant. */
export const WEB_SLOTS: Slots = {
  trade: items(
    `a divorce lawyer, a wedding photographer, a plumber, a real estate agent, a personal trainer, a tax adviser, a dentist, a roofing company, a tutor, a travel agency, an accountant, a locksmith, a web designer, a moving company, a dog trainer, a florist, an estate attorney, a life coach, a midwife, a car dealer, a kennel, a caterer, a sound engineer`,
  ),
  goods: items(
    `this jacket, our memory foam mattress, the new tablet, these running shoes, a garden shed, the handmade soap, the starter kit, a steel water bottle, this board game, our essay guide, the wireless speaker, a leather wallet, the baby stroller, the tea set, our e-book, a used tractor, the printed calendar, a ski helmet, the puzzle`,
  ),
  field: items(
    `criminal law, disability rights, home improvement, personal finance, weight loss, wedding planning, public speaking, web hosting, digital photography, parenting, organic farming, job hunting, interior design, real estate, faith, mental health, online dating, essay writing, search engines, puppy training, retirement, immigration, basketball, fly fishing, knitting, migraine, car repair, nutrition, identity theft, college admission`,
  ),
  goal: items(
    `lose weight, find a better job, sell your house, protect your rights, grow your business, learn a new skill, save on taxes, sleep through the night, get the most out of your trip, improve your credit, choose the right school, keep your data safe, write a good essay, settle a dispute, build trust, stay healthy, plan your wedding, raise happy kids, make new friends, fix the leak, reach more customers, feel better about yourself, cut your energy bill, quit smoking, heal faster`,
  ),
  feeling: items(
    `you may feel overwhelmed, it can be hard to know where to start, you are not alone, nobody tells you how hard it is, it pays to be patient, mistakes are expensive, time is short, nobody is born an expert, everything seems to go wrong, help is closer than you think, small steps matter most, you deserve better, there is no easy answer, it gets easier with time`,
  ),
  who2: items(
    `an inspector, the council, a mediator, your spouse, the insurance company, your employer, a doctor, your teacher, the bank, the court, your children, a friend, the police, your landlord, a specialist, the seller, search engines, your audience, the admissions office, other parents`,
  ),
  happening: items(
    `your options, the small print, how much you spend, what you eat, which documents you need, who said what, where the money goes, what the contract says, how you feel, your rights, the condition of the car, all expenses, what you have learned, the dates, your progress, the names of witnesses`,
  ),
  blog: lines(`
    it is [very|really|extremely|] [important|useful|hard|essential|wise|easy] to [remember|understand|compare|think about|keep an eye on|talk about|plan|check|know] {happening}[, above all with {who2}|, and to share it with {who2}|, because {feeling}|].
    [the truth|the good news|our secret|the short answer] [about {field}|when you {goal}|before you call {trade}] is [simple|often forgotten|explained below|that {feeling}].
    [if|when|once|whenever] you [want|hope|need|try|decide|are ready] to {goal}, [you should|you will need to|you can|you have to|it helps to|you must] [talk to {who2}|hire {trade}|be honest with yourself|read the fine print|make a list|set a budget|ask the right questions|start early|learn about {field}].
    [you|we all|most people|many of us] [begin|start|come|learn|tend] to [realize|understand|believe|forget|notice|see] [how much {field} matters|what is missing|that {feeling}|who your friends are|how far you have come].
    [presented|published|edited|available] [by {trade}|online|as a free download], [our|this|the] [guide|course|blog|article|series] [explains the basics|covers everything|offers tips|gives you an overview] [about|on|of] {field}[, {field} and {field}|].
    how [important|expensive|common|difficult|useful|safe|good] [is|was|are|can be] [{field}|{goods}|it to {goal}|the market for {field}|your dentist]?
    [do|did|would|are] you [know|wonder|ask yourself|remember|sure] [how to {goal}|why {field} is so hard|that {goods} is on sale|where to find {trade}|what {who2} thinks|whether {feeling}]?
    [have|has] [you|anyone|your family] [ever|already|just] [tried|seen|thought about|bought|heard of|used] [{goods}|{field}|{trade}|our free trial]?
    [is|are] there [any|a|some] [way|reason|help|chance|hope|discount] [available|left|for beginners|] [to {goal}|for {goods}|in {field}|when you need {trade}]?
    [whenever|each time] we [think of|read about|open|use] [{goods}|this page|{field}|our old notes] we [want to|have to|wish we could] [smile|buy one|tell you about it|write again|start over|thank {trade}].
    [do|take|make|try|spend|write|draw|read] [some|one|several|plenty of] [notes|deep breaths|small steps|pictures|drafts|samples] before you [decide|sign|call {trade}|order {goods}|speak to {who2}].
    [I|we] [love|hate|use|bought|recommend|tried|enjoy|read] [{goods}|this blog|your article|the part on {field}|every post] [, it is wonderful|and told {who2} about it|so much|for years|, but {feeling}].
    [you|your family|your guests|the kids|customers] [will|can|might|should|could] [love|enjoy|find|discover|need|expect|get] [{goods}|a warm welcome|more than you think|the best of {field}|advice from {trade}|free parking|plenty to do].
    [whether|no matter if] you [are new to {field}|need {trade}|live in {city}|want to {goal}|have done it before], [we|our team|this guide|{goods}] [can help|has something for you|will answer your questions|makes it easy|is the right choice].
    [experts|doctors|teachers|critics|lawyers] [say|warn|recommend|agree|told us] [that|] [rents may double|{field} will change|you should talk to {who2}|people forget to {goal}|prices will rise|{feeling}].
    [contact|call|visit|email|follow|ask|join|book|choose] [us|{trade}|our office|our page|the nearest shop|an expert] [today|now|for a free quote|to {goal}|if you have questions about {field}|and get ten percent off|to learn more about {field}].
    [don't|do not|never|try not to] [let {who2} tell you otherwise|wait too long|forget {happening}|sign anything|be afraid to ask|buy {goods} online|miss this|answer {who2} without {trade}|give up|ignore the signs].
    [let|get|find] [us|someone|{trade}|the right people|your imagination] [help you|to help you|explain {field}|run wild|show you how to {goal}].
    [imagine|picture|think of|consider|suppose] [{goods} in your living room|what you could do with more time|a life without {field}|how it feels to {goal}|yourself on the beach|you have to explain it to {who2}].
    [remember|keep in mind|note|be aware|make sure|please note] that [{who2} may ask for proof|{goods} is handmade|you can cancel at any time|{feeling}|results vary|rules differ from state to state|you need to {goal}].
    [in|for|with|after|during] [this article|{field}|the long run|many cases|her new book|last week's show|the second season], [you will learn how to {goal}|we look at {field}|{trade} can save you money|she tells the story of {field}|they lost the final|it was all about {goods}].
    [click|read|scroll|tap|look|continue] [here|on|below|the link|through the gallery|on the picture] [to read more|for details|to see {goods}|to download the guide|and tell us what you think|to leave a comment].
    [tell|let|share with|show|send] us [know|your story|what you think|your photos|in the comments|how you {goal}] [below|and win {goods}|!|on our page|by e-mail].
    [the|my|our] [first|second|next|best|worst|hardest] [thing|step|rule|tip|question|part] [is|was] to [{goal}|ask {who2}|write down {happening}|call {trade}|forget {field}|trust yourself].
    [how to|why you should|when to|five ways to|tips to|what happens when you] [{goal}|hire {trade}|write about {field}|buy {goods}|explain {field} to {who2}|choose {trade}] [in 2019|without stress|for beginners|: a guide|today|].
    [he|she|they|the coach|the author|my mother|the pastor] [said|told me|asked|wrote|promised|always says]: ["|][ask and you shall receive|tell me more|never give up|you have to {goal}|write what you know|forget the past|send me a card when you get there][.|."]
    [hey|well|oh|ok|so], [you were right about {goods}|what a day|thanks for the tip|guess who called|we should meet for coffee|send me a pic].
    [privacy policy|cookies|copyright|all rights reserved|terms apply|powered by wordpress|leave a reply|skip to content|add to cart|view all posts|your email address will not be published|required fields are marked|sign in to comment]
    [posted by {person} on 4 May|tags: {field}, {field}|share this:|related posts: how to {goal}|home > blog > {field}|previous post: {field}|next: {goods}]
    [explain|discuss|state|what is meant by|why is|how is] [the role of {field}|two reasons to {goal}|the main idea of chapter two] [?|.]
  `),
};

export const WEB_PAGES: Readonly<Record<string, readonly string[]>> = {
  web: lines(`
    {blog} {blog} {blog} {blog} {blog}
    {blog} {blog} {blog}\\n{blog} {blog} {blog} {blog}\\n{blog} {blog}
    {blog} {blog} {blog}
    {blog} {blog}
    {blog}
    {blog}
    {blog}
    {blog}\\n{blog} {blog} {fact} {blog}\\n{blog} {blog} {fact} {fact} {blog}\\n{blog} {blog} {market}
    {blog} {fact} {blog} {market} {blog} {opinion}
    {blog} {howto} {blog} {howto} {howto} {blog}
    {blog} {tell} {blog} {opinion} {blog} {blog} {tell}
    {blog} {faqq} {faqa} {blog} {faqq} {faqa} {blog}
  `),
};
