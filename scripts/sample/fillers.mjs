/** Phrases that patterns share, by name; each is a pattern itself. None holds an entity but BY, a source for what was said. */
const list = (text) => text.trim().split(/\s*;\s*/);

const numberWords = list("two; three; four; five; six; seven; eight; nine; ten; eleven; twelve");

export const fillers = {
  DAY: list("Monday; Tuesday; Wednesday; Thursday; Friday; Saturday; Sunday"),
  MONTH: list("January; February; March; April; May; June; July; August; September; October; November; December"),
  SEASON: list("spring; summer; autumn; winter"),
  NATION:
    list(`Portuguese; Spanish; French; Italian; German; Irish; Scottish; Welsh; Norwegian; Polish; Czech; Croatian; Greek; Turkish;
    Georgian; Jordanian; Egyptian; Ghanaian; Nigerian; Kenyan; Indian; Vietnamese; Japanese; Korean; Australian; Canadian; American;
    Mexican; Peruvian; Chilean; Brazilian; British`),
  LANGUAGE: list(
    "Portuguese; Spanish; French; Italian; German; Polish; Greek; Turkish; Arabic; Hindi; Vietnamese; Japanese; Korean; Welsh",
  ),
  WHEN: list(`on {DAY}; last {DAY}; late on {DAY}; early on {DAY}; this {SEASON}; last {SEASON}; in {MONTH}; last {MONTH}; earlier this week;
    {N} weeks ago; at the weekend; last year; {N} months ago; {DAY} <morning|evening|night>; yesterday`),
  SOON: list(`next {DAY}; next {MONTH}; before the end of the year; by <spring|summer|autumn|winter>; in the coming weeks; from {MONTH};
    later this <month|year>; on {DAY}; in {MONTH}; after the holidays`),
  OPENING:
    list(`On {DAY}; Earlier this month; After months of <talks|delay|speculation>; In a <brief|short|rare> statement; For the {NTH} time in {N} years;
    Despite the <rain|criticism|cost>; Late on {DAY}; In {MONTH} {YEAR}; Two days later; Without giving a reason; In the end; By {DAY} evening;
    According to <people familiar with the talks|two officials|a leaked report>; To the surprise of <many|everyone|the market>`),
  NTH: list("first; second; third; fourth; fifth; tenth"),
  JOB: list(`chief executive; chairman; spokesman; spokeswoman; finance director; deputy director; head of research; board member; vice president;
    press officer; managing director; chief scientist; regional manager; founder; legal adviser; former president`),
  TRADE:
    list(`painter; architect; novelist; composer; engineer; physician; botanist; chemist; poet; photographer; cartographer; journalist;
    economist; organist; linguist; astronomer; sculptor; violinist; lawyer; geologist; historian; playwright; nurse; translator`),
  EXPERT:
    list(`economist; historian; biologist; climate researcher; engineer; lawyer; criminologist; physicist; nutritionist; linguist; sociologist;
    analyst; transport planner; archaeologist`),
  LOCAL: list(
    `teacher; farmer; bus driver; shopkeeper; retired nurse; student; fisherman; baker; taxi driver; café owner; librarian; plumber; beekeeper`,
  ),
  KIN: list(
    "my brother; my sister; my aunt; my neighbour; my old boss; a friend; my cousin; my flatmate; my dad; my mum",
  ),
  DEVICE: list(
    "phone; tablet; camera; speaker; laptop; printer; headset; watch; e-reader; router; projector; microphone",
  ),
  GOODS: list(
    "batteries; cheese; bicycles; furniture; software; medicines; shoes; tractors; solar panels; toys; machine parts; coffee; textiles; wind turbines",
  ),
  SUBJECT:
    list(`physics; law; medicine; architecture; music; chemistry; economics; philosophy; marine biology; mathematics; engineering; history;
    comparative literature; computer science`),
  ISSUE:
    list(`housing; clean water; the price of bread; school meals; night trains; data protection; fishing quotas; pensions; air quality;
    rural broadband; working hours; flood defences; the new tram line; bus fares`),
  GOOD: list("excellent; superb; lovely; impressive; surprisingly good; great; solid; charming; first-rate; wonderful"),
  BAD: list("disappointing; slow; flimsy; overpriced; badly made; noisy; unreliable; a mess; useless; fragile"),
  DULL: list("disappointing; dull; confusing; tedious; much too long; flat; predictable; hard to follow"),
  NEXT: list("on {DAY}; next {DAY}; this weekend; in {MONTH}; next week; tonight; tomorrow; this {SEASON}"),
  FEELING: list(
    "delighted; tired; relieved; nervous; puzzled; proud; disappointed; cautious; optimistic; furious; calm; embarrassed",
  ),
  SAID: list("said; added; explained; warned; insisted; admitted; argued; noted; told reporters; recalled"),
  N: [...numberWords, "two", "three", "four"],
  BY: list(`, {SAID} {per}; , according to the {paper}; , {per} said; , {a} {JOB} {SAID}; , officials said; , the {paper} reported; , {SAID} {per}, {a} {EXPERT} at {uni};
    , {SAID} {per}, {JOB} of {company}; , witnesses said; , said {per.last}`),
};

const between = (low, high, rng) => low + rng.below(high - low + 1);

/** Phrases that are numbers. */
export const numbers = {
  YEAR: (rng) => `${between(1951, 2014, rng)}`,
  RECENT: (rng) => `${between(1996, 2022, rng)}`,
  OLDYEAR: (rng) => `${between(1720, 1948, rng)}`,
  DECADE: (rng) => `${between(185, 199, rng)}0s`,
  NN: (rng) => `${between(13, 98, rng)}`,
  HUNDREDS: (rng) => `${between(2, 19, rng) * 50}`,
  BIG: (rng) => `${between(1, 96, rng)},${between(1, 9, rng)}00`,
  MONEY: (rng) => {
    const sign = ["$", "€", "£"][rng.below(3)];
    const amount = rng.next() < 0.5 ? `${between(2, 90, rng)}` : `${between(1, 9, rng)}.${between(1, 9, rng)}`;
    return `${sign}${amount} ${rng.next() < 0.8 ? "million" : "billion"}`;
  },
  PRICE: (rng) => `${["$", "€", "£"][rng.below(3)]}${between(4, 480, rng)}`,
  PERCENT: (rng) => `${between(2, 48, rng)}${rng.next() < 0.5 ? "%" : " per cent"}`,
  SCORE: (rng) => `${between(0, 4, rng)}-${between(0, 4, rng)}`,
  WIN: (rng) => {
    const losers = between(0, 2, rng);
    return `${losers + between(1, 3, rng)}-${losers}`;
  },
  TIME: (rng) => `${between(6, 22, rng)}:${["00", "15", "30", "45"][rng.below(4)]}`,
  FEET: (rng) => `${between(2, 11, rng)},${between(100, 989, rng)}`,
  OLDAGE: (rng) => `${between(58, 98, rng)}`,
  AGE: (rng) => `${between(19, 88, rng)}`,
  LIFE: (rng) => {
    const birth = between(1690, 1930, rng);
    return `${birth}–${birth + between(31, 92, rng)}`;
  },
};
