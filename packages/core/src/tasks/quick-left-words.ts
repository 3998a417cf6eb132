/** Words beside which a number, a day or a time means something else, as patterns of a text of `plainOf`. */

export const UNITS =
  'mph|kmh|rpm|bpm|knots|percent|prozent|euros?|dollars?|pounds?|franken|cent|grad|degrees?|km|cm|mm|m|kg|g|t|l|ml|bar|psi|volt|v|kv|watt|w|kw|kwh|ampere|a|hz|gb|mb|stück|stk|times|mal|x|people|persons|personen|leute|tage?n?|days?|wochen?|weeks?|monate?n?|months?|jahre?n?|years?|stunden?|hours?|hrs?|minuten?|minutes?|min|sekunden?|seconds?|punkte?n?|points?|plätze|seiten?|pages?|meter|miles?|litres?|liter|boxes|pieces|inch(?:es)?|zoll|feet|ft|foot';
export const VERSIONS =
  'versions?|release|build|rev|revision|firmware|update|patch|kapitel|kap|pos|position|tabelle|table|abb|abbildung|fig|figure|schritt|step|los|chapter|section|abschnitt|ziffer|absatz|abs|punkt|paragraph|artikel|article|art|clause|klausel|anhang|annex|appendix|din|iso|en|norm|teil|part|nr|no|number|nummer|page|seite|ip|python|node|android|ios|windows|typo3|java|php';
export const BEFORE_OR_AFTER =
  'after|nach|since|seit|past|following|frühestens|(?:no|not)\\s+earlier\\s+than|at\\s+the\\s+earliest';
export const HOLIDAYS =
  'christmas|xmas|easter|new\\s+year|thanksgiving|payday|advent|ostern|weihnachten|pfingsten|neujahr|silvester|fasching|karneval';
export const HALF =
  '(?:in\\s+the\\s+)?(?:morning|afternoon|evening)s?|at\\s+night|noon|(?:am\\s+)?(?:morgen|vormittag|mittag|nachmittag|abend)s?|früh|nachts';
export const OFTEN =
  'daily|weekly|monthly|quarterly|yearly|annually|täglich|wöchentlich|monatlich|vierteljährlich|jährlich|every|each|per|jede[nrsm]?';
export const WORKING_DAY =
  '(?:working|business|bank|week)\\s*-?days?|workdays?|werktage?s?|arbeitstage?s?|bankarbeitstage?s?|geschäftstage?s?|wochentage?s?';
export const ZONE =
  'utc|gmt|est|edt|cst|cdt|pst|pdt|cet|cest|bst|jst|aest|aedt|et|pt|ct|msk|eet|eest|nzst|nzdt|sast|sgt|hkt|kst|mez|mesz|eastern|pacific|ortszeit|zulu';
/** "Miete um 12 erhöhen" names an amount. */
export const BY_SO_MUCH =
  'erhöhen|senken|kürzen|verkürzen|verlängern|reduzieren|verringern|steigern|anheben|aufstocken|vergrößern|verkleinern';
export const LAST_BUT_ONE = '(?:vor|dritt|viert)letzte[nrms]?|penultimate|(?:second|next|third)[\\s-]+to[\\s-]+last';
export const EACH = 'every|each|alle|jede[nrsm]?';
/** Words before a name: May, April, June and Jan are people, too. */
export const TO_A_PERSON =
  'ask|tell|remind|meet|give|help|thank|with|for|frage?|sage?|hilf|mit|für|mrs?|ms|dr|herrn?|frau';
export const COMING =
  '(?:(?:the|den|dem|der)\\s+)?(?:(?:next|this|coming|last|past|previous|nächste|kommende|diese|letzte|vergangene|vorige)[nmrs]?\\s+)?';
/** What is good until a month, or is of one. */
export const GOOD_UNTIL =
  'tüv|hu|exp|exp\\.|expiry|expires|mhd|haltbar|gültig|valid|best\\s+before|rechnung|invoice|statement|abrechnung';
