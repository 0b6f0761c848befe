/** Function words: they form the frame of a sentence, not its subject. Skeletons contain them unchanged. */
export const FUNCTION_WORDS =
  `a an the this that these those it its is are was were be been being am do does did dont doesnt didnt have has had i me my mine we us our he she they them their his her
  of in on at to for from by with about as into over under after between through during than then so and or but if when where while because until unless though although also just even still yet
  what which who whom whose how why can could would should will may might let lets cant wont isnt arent im ive id youre youd youll theres here there up down out off again more most some any all each every both few many much other such same own too very
  please thanks thank hi hello hey dear sir madam yes no not nor ok okay sure well really maybe get got make made need want like think know see look go going come use using used give given tell ask find help try keep put take set show say said`
    .split(/\s+/)
    .filter((word) => word !== '');

/** Verbs that open a request. In a skeleton all are the same entry, VERB, unless they are a concept. */
export const REQUEST_VERBS =
  `write create generate make build design develop draft compose explain describe summarize summarise translate convert compare list name identify classify categorize find search calculate compute solve determine evaluate analyze analyse rewrite edit correct fix improve shorten expand suggest recommend provide give tell show answer define discuss outline plan schedule remind set turn play open close start stop add remove update change check book reserve order buy cancel pay transfer call send email text read watch listen learn teach help guide assist choose pick select rank sort filter count measure estimate predict imagine consider assume pretend act simulate use implement refactor debug test review optimize document return output print display extract parse format draw sketch paint sing cook bake prepare organize arrange brainstorm invent formulate construct complete fill finish continue rephrase paraphrase transform reverse combine merge split replace insert delete install configure deploy run execute compile download upload copy move save load verify validate confirm prove demonstrate illustrate investigate research report respond reply rate score grade advise recall repeat spell decode encode visit click follow contact notify inform share post publish submit forward wait avoid remember note keep ensure include mention state specify`
    .split(/\s+/)
    .filter((word) => word !== '');
