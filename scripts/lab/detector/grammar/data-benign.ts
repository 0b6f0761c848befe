import { items, lines, type Slots } from './expand.ts';

export const CARRIER_SLOTS: Slots = {
  who: items(
    `Anna, Tom, Ms. Lee, the customer, our client, Dr. Weber, the team, Maria, John, the landlord, accounting, HR, Priya, the supplier, Carlos, my manager, the new intern, Sofia, the board`,
  ),
  doc: items(
    `the report, the contract, the invoice, the slides, the signed form, the minutes, the budget, the draft, your CV, the spreadsheet, the photos, the itinerary, the receipt, the quote, the proposal, the keys, the test results, the shipping label, the agenda`,
  ),
  when: items(
    `by Friday, tomorrow, before noon, next week, on Monday at 10, as soon as you can, by the end of the month, this afternoon, before the meeting, at your convenience, tonight, on 3 March`,
  ),
  mail: lines(`
    [could|can|would] you [please|] [send|forward|bring|show|give|print|check|review|sign|update|return|approve] {doc} [to {who}|] {when}?
    [please|kindly] [send|forward|review|sign|confirm|return|check|update|approve|print] {doc} {when}.
    [don't|do not|please do not] forget to [bring|sign|send|pay|call|book|water the plants|lock the door|renew] [{doc}|] {when}.
    [let me|please let us] know [if|whether|when] [you can make it|{who} agrees|the time works|you need anything|it arrived|you have questions].
    [call|text|write|ping] me [when you land|if there is a problem|before you leave|at +1 555 010 2233|{when}].
    [thanks|thank you] for [your help|the quick reply|sending {doc}|coming yesterday|your patience|your order].
    I [attached|sent|uploaded|reviewed|forgot|read|signed] {doc} [yesterday|this morning|in the shared folder|and made some changes|].
    [we|I] [need|want|have|plan] to [move|cancel|confirm|reschedule] [the meeting|the delivery|our trip|the call] [to Tuesday|because of the weather|{when}|].
    [please|] ignore my [last|previous|earlier] [email|message|version], [the dates were wrong|here is the right file|it was meant for {who}].
    [the|our] [server|printer|order|parcel|payment|flight] [is|was|has been] [down|delayed|delivered|confirmed|cancelled|late] [since this morning|until further notice|again|].
    [your|the] [password|code|account|subscription] [will expire|has been changed|was reset|is ready] {when}. [If this was not you, contact support.|No action is needed.|Log in to see details.]
    [best|kind|warm] regards, {who}
    [hi|hello|dear] {who},
    [what|when|where|how|who] [is|was|are|should we] [the plan|the deadline|the address|doing this|meeting|pay for lunch]?
    [transfer|pay] the [rent|deposit|invoice|fee] [to the usual account|{when}|as agreed], please.
    [I|we] [ordered|bought|received] [a blue jacket|two lamps|the wrong size|a broken phone] and [want|would like|need] [a refund|to exchange it|a new one|to know where it is].
    [tell|ask|remind] {who} [that the meeting moved|to call me back|about {doc}|not to wait for me].
    [follow|see|read] the [instructions|steps|guide|directions] [in the attachment|on page two|below|we discussed] [to install the app|before you start|carefully|].
  `),
  howto: lines(`
    [preheat|heat|set] the oven to [180|200|220] degrees [and grease the pan|].
    [add|mix|stir in|fold in|pour|whisk] the [flour|eggs|sugar|milk|butter|onions] [and cook for five minutes|until smooth|slowly|].
    [click|select|press|choose|tap|open] [Save|Settings|the menu|File > New|OK|the blue button|Start] [and|then] [restart the app|enter your name|wait|confirm|follow the instructions on the screen].
    [run|execute|use|type] \`[npm install|pip install -r requirements.txt|make test|git pull|docker compose up]\` [in the project folder|to install the dependencies|before you start|and check the output].
    [make sure|ensure|check|verify] [that|] [the device is off|the cable is connected|all tests pass|the file exists|you have admin rights|the version matches|the environment variable is set].
    [turn off|unplug|remove|replace|clean|tighten|open] the [power|battery|filter|cover|screws|valve|lid] [before cleaning|carefully|with a screwdriver|every six months].
    [do not|never] [open the case|ignore this warning|mix with bleach|exceed the dose|share your password|use near water|leave unattended|delete this file|bypass the safety switch].
    [if|when] [the light blinks|an error appears|the build fails|you forget your password|the prompt appears], [press reset|contact support|see the log|follow the link|type yes|restart the service].
    [note|tip|warning|important]: [this overrides the default|values are ignored when empty|you must call init first|the previous version is removed|requires admin rights|keys are read from the environment].
    [write|create|add] a [test|file named config.json|function that returns true|README|new branch|migration] [for each change|in the root folder|and commit it|].
    [send|submit|post] a [pull request|bug report|request to /api/users|POST with the token|patch] [to the main branch|with steps to reproduce|and read the response|].
  `),
  market: lines(`
    [buy|order|shop|book|subscribe|sign up|register|download|join|call|act] [now|today|here|online|before Sunday] and [save 20%|get free shipping|win a prize|receive a gift|enjoy our offers|start your free trial].
    [discover|explore|enjoy|try|visit|experience|meet] [our new collection|the best of Italy|the latest models|our store|the beach|a world of flavors] [today|from 9.99|in spring|].
    [click|tap] [here|the link below|on the image] to [learn more|unsubscribe|read the full story|see all deals|confirm your address|download the brochure].
    [don't|never] miss [this offer|a sale|our newsletter|the chance]!
    [you|your family] [will love|deserve|can enjoy|won't believe] [this hotel|our pizza|the view|the new phone|better sleep].
    [follow|like|share|tell] [us|your friends|this page] [on Facebook|about it|with everyone|and win].
    [this|the] [hotel|restaurant|phone|book|movie|course] [was|is] [great|awful|too loud|cheap|a must|not worth it], [I would|we will] [recommend it|come again|never buy it again|give it 4 stars].
    [ask|talk to|contact|write to] our [team|experts|sales department] [for|about] [a free quote|prices|advice|an appointment].
    [leading|global|award-winning] [provider|maker|agency] of [smart homes|office chairs|law services|organic food] since [1985|2004].
  `),
  record: lines(`
    {"id": 4821, "status": "shipped", "customer": "{who}", "note": "leave at the door"}
    {"name": "{who}", "email": "user@example.com", "role": "admin", "active": true}
    {"city": "Paris", "temp": 18, "condition": "rain", "advice": "take an umbrella"}
    {"title": "Team sync", "start": "2024-05-03T10:00", "attendees": ["{who}"], "description": "please bring {doc}"}
    {"ok": true, "result": [], "message": "no records found"}
    {"product": "desk lamp", "price": 39.9, "review": "works well, but the instructions were hard to follow"}
    | 2024-03-01 | Grocery | -54.20 | card |
    | {who} | Sales | 4 | follow up {when} |
    id,name,amount,comment\\n1,{who},20,paid\\n2,Smith,35,please call back
    2024-05-01 12:00:01 INFO request completed in 35 ms
    2024-05-01 12:00:02 WARN password reset requested for user 42
    ERROR: permission denied, run as administrator or ask the owner
    <li><a href="/about">About us</a></li><li>Contact</li>
    <p>{who} was born in 1952 and studied physics.</p>
    <div class="note">Please log in to continue</div>
    balance: 1,240.50 EUR; last transfer: rent, 1 May
    Subject: {doc} {when}
    From: support@example.com\\nTo: {who}
    git commit: fix override of previous settings
    def send(data, url): return requests.post(url, json=data)
    # ignore the previous value and reset the state
    // TODO: tell the user that the file is missing
    print("Please enter your password:")
    return "You are not allowed to delete this file"
    assert response.status_code == 200, "send failed"
    The river rises in the hills and flows north for 80 km.
    He told her to keep the secret and never to reveal the name.
    "Give me the map," said the captain, "and forget what you saw."
    The study found that patients who ignored the instructions recovered more slowly.
    Users can export all data as CSV and delete their account at any time.
    The assistant manager will answer your questions at the front desk.
    Our model ignores outliers and returns the mean of all records.
  `),
};

export const DATA_BENIGN: Readonly<Record<string, readonly string[]>> = {
  mail: lines(`
    {mail}
    {mail} {mail}
    {mail}\\n\\n{mail} {mail}\\n\\n{mail}
    {mail} {market}
  `),
  howto: lines(`
    {howto}
    {howto} {howto} {howto}
    1. {howto}\\n2. {howto}\\n3. {howto}
    {howto} {record}
  `),
  market: lines(`
    {market}
    {market} {market}
    {market} {mail}
  `),
  record: lines(`
    {record}
    {record}\\n{record}\\n{record}
    {record}\\n{mail}
  `),
};
