/**
 * Words that say why someone is a patient. A text message shows on a locked phone, and families share phones, so that none may contain one.
 * Next to the names of the practice's procedures, these are refused in both languages. An ending s is the plural.
 */
const words = [
  // English
  'abdominoplasty',
  'anaesthesia',
  'anaesthetic',
  'anesthesia',
  'anesthetic',
  'augmentation',
  'bbl',
  'biopsy',
  'blepharoplasty',
  'botox',
  'breast',
  'brow lift',
  'browlift',
  'cancer',
  'diagnosis',
  'dysport',
  'eyelid',
  'face lift',
  'facelift',
  'filler',
  'implant',
  'incision',
  'injectable',
  'injection',
  'labiaplasty',
  'laser',
  'lipo',
  'liposuction',
  'mammaplasty',
  'mammoplasty',
  'mastectomy',
  'medication',
  'neuromodulator',
  'nipple',
  'nose job',
  'otoplasty',
  'post-op',
  'postop',
  'pre-op',
  'preop',
  'prescription',
  'rhinoplasty',
  'scar',
  'stitch',
  'stitches',
  'surgeon',
  'surgery',
  'surgeries',
  'surgical',
  'suture',
  'swelling',
  'tummy tuck',
  'tumour',
  'weight loss',
  'wound',
  'xeomin',
  'your operation',
  // French
  'abdominoplastie',
  'anesthésie',
  'biopsie',
  'blépharoplastie',
  'chirurgical',
  'chirurgicale',
  'chirurgicaux',
  'chirurgie',
  'chirurgien',
  'chirurgienne',
  'cicatrice',
  'comblement',
  'enflure',
  'liposuccion',
  'lifting',
  'mamelon',
  'mammaire',
  'mastectomie',
  'médicament',
  'neuromodulateur',
  'ordonnance',
  'paupière',
  'perte de poids',
  'plaie',
  'poitrine',
  'postopératoire',
  'préopératoire',
  'rhinoplastie',
  'seins',
  'tumeur',
  'votre opération',
]

/** Without accents, case, punctuation and characters that do not show, with one space around each word, so that whole words are compared. */
const fold = (text: string): string =>
  ` ${text
    .replace(/[\p{Cf}™®©]/gu, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** Finds the clinical words in a text, as `clinicalWordsIn` does, for several texts. */
export function clinicalWordsFinder(procedures: readonly string[], except: readonly string[] = []): (text: string) => string[] {
  const known = except.map(fold).filter((one) => one.trim() !== '')
  const wanted = [...procedures, ...words].map((word) => [word, fold(word).trim()] as const).filter(([, folded]) => folded !== '')
  return (text) => {
    const given = known.reduce((rest, one) => rest.replaceAll(one, ' \u0000 '), fold(text))
    const isIn = (folded: string) => given.includes(` ${folded} `) || given.includes(` ${folded}s `)
    return widest(wanted.filter(([, folded]) => isIn(folded)).map(([word]) => word))
  }
}

/**
 * The clinical words in a text, each once, as they are written in the list.
 * @param procedures the names of the practice's procedures
 * @param except texts that are no clinical words wherever they occur, such as the practice's own name
 */
export const clinicalWordsIn = (text: string, procedures: readonly string[], except: readonly string[] = []): string[] =>
  clinicalWordsFinder(procedures, except)(text)

/** Without those that another one covers. */
function widest(found: readonly string[]): string[] {
  // The name of a procedure covers the words within it.
  const covered = (word: string) => found.some((other) => other !== word && fold(other).includes(fold(word)) && fold(other) !== fold(word))
  const distinct = Map.groupBy(
    found.filter((word) => !covered(word)),
    fold,
  )
  return [...distinct.values()].map(([word]) => word!)
}

/** What to do about clinical words in a text. */
export const clinicalProblem = (found: readonly string[]): string =>
  `Leave out ${new Intl.ListFormat('en-CA').format(found.map((word) => `“${word}”`))}: others may see the phone. Send a link to the portal instead.`
