import { weighted } from './random.ts'

/** The patient's concern; what patients say and providers find depends on it. */
export type Concern =
  | 'nose'
  | 'second nose'
  | 'face'
  | 'chin'
  | 'lids'
  | 'crease'
  | 'ears'
  | 'augmentation'
  | 'reduction'
  | 'breast lift'
  | 'exchange'
  | 'tummy'
  | 'fat'
  | 'loose skin'
  | 'labia'
  | 'chest'
  | 'hair'
  | 'scar'
  | 'mole'

/** A procedure of the clinic. Prices in dollars, before HST; `spoken` is how staff write it in a sentence. */
export type Procedure = {
  name: string
  nameFr: string
  spoken: string
  concern: Concern
  from: number
  to: number
  /** Relative frequency among women and men. */
  women: number
  men: number
}

const procedure = (
  concern: Concern,
  name: string,
  nameFr: string,
  spoken: string,
  from: number,
  to: number,
  women: number,
  men: number,
): Procedure => ({
  name,
  nameFr,
  spoken,
  concern,
  from,
  to,
  women,
  men,
})

export const procedures: Procedure[] = [
  procedure('nose', 'Rhinoplasty', 'Rhinoplastie', 'rhinoplasty', 8_900, 13_500, 9, 10),
  procedure('nose', 'Septorhinoplasty', 'Septorhinoplastie', 'septorhinoplasty', 10_500, 15_800, 4, 9),
  procedure('second nose', 'Revision rhinoplasty', 'Rhinoplastie de révision', 'revision rhinoplasty', 12_500, 18_900, 2, 3),
  procedure('face', 'Deep-plane facelift', 'Lifting profond du visage', 'a deep-plane facelift', 21_000, 29_500, 6, 2),
  procedure('face', 'Neck lift', 'Lifting du cou', 'a neck lift', 9_800, 14_500, 4, 4),
  procedure('lids', 'Brow lift', 'Lifting des sourcils', 'a brow lift', 7_200, 9_900, 2, 0.5),
  procedure('face', 'Fat transfer, face', 'Greffe de gras au visage', 'facial fat transfer', 4_900, 7_800, 2, 0.5),
  procedure('chin', 'Chin implant', 'Implant de menton', 'a chin implant', 5_400, 7_600, 0.8, 3),
  procedure('lids', 'Upper blepharoplasty', 'Blépharoplastie supérieure', 'upper blepharoplasty', 4_200, 5_900, 8, 7),
  procedure('lids', 'Lower blepharoplasty', 'Blépharoplastie inférieure', 'lower blepharoplasty', 5_200, 7_400, 4, 4),
  procedure('crease', 'Double eyelid surgery', 'Création du pli palpébral', 'double eyelid surgery', 4_500, 6_200, 2, 1),
  procedure('ears', 'Otoplasty', 'Otoplastie', 'otoplasty', 4_800, 6_900, 2, 4),
  procedure('augmentation', 'Breast augmentation', 'Augmentation mammaire', 'breast augmentation', 8_400, 11_900, 15, 0),
  procedure('reduction', 'Breast reduction', 'Réduction mammaire', 'breast reduction', 9_500, 13_800, 8, 0),
  procedure('breast lift', 'Mastopexy', 'Mastopexie', 'a breast lift', 9_900, 13_200, 5, 0),
  procedure('breast lift', 'Mastopexy, implants', 'Mastopexie avec implants', 'a breast lift with implants', 13_500, 17_900, 5, 0),
  procedure('exchange', 'Implant exchange', 'Remplacement d’implants mammaires', 'implant exchange', 8_800, 12_400, 3, 0),
  procedure('tummy', 'Abdominoplasty', 'Abdominoplastie', 'abdominoplasty', 11_200, 15_900, 10, 2),
  procedure('tummy', 'Mommy makeover', 'Chirurgie post-maternité', 'a mommy makeover', 18_500, 26_800, 6, 0),
  procedure('fat', 'Liposuction, flanks', 'Liposuccion des flancs', 'flank liposuction', 5_200, 7_900, 5, 8),
  procedure('fat', 'Liposuction, 360', 'Liposuccion 360', '360 liposuction', 9_800, 13_900, 5, 2),
  procedure('loose skin', 'Brachioplasty', 'Brachioplastie', 'brachioplasty', 7_800, 10_400, 3, 0.5),
  procedure('loose skin', 'Thigh lift', 'Lifting des cuisses', 'a thigh lift', 9_200, 12_600, 2, 0.2),
  procedure('labia', 'Labiaplasty', 'Labioplastie', 'labiaplasty', 4_900, 6_800, 3, 0),
  procedure('chest', 'Gynecomastia', 'Correction de la gynécomastie', 'gynecomastia surgery', 6_900, 9_600, 0, 24),
  procedure('hair', 'Hair restoration', 'Greffe de cheveux', 'hair restoration', 7_500, 13_500, 1, 14),
  procedure('scar', 'Scar revision', 'Correction de cicatrice', 'scar revision', 1_400, 3_800, 3, 4),
  procedure('mole', 'Mole removal', 'Exérèse de grain de beauté', 'mole removal', 450, 1_200, 3, 3),
]

export const pickForWoman = weighted(procedures.map((procedure) => [procedure, procedure.women] as const))
export const pickForMan = weighted(procedures.map((procedure) => [procedure, procedure.men] as const))

/** Form entries that match no procedure name; they are stored as free text. */
export const spokenInForms: Partial<Record<Concern, string[]>> = {
  nose: ['nose job', 'deviated septum + bump'],
  face: ['jowls', 'mini facelift'],
  lids: ['droopy eyelids', 'bags under eyes'],
  ears: ['ear pinning'],
  augmentation: ['boob job', 'implants'],
  tummy: ['tummy tuck', 'stomach after 2 kids'],
  fat: ['lipo', 'love handles'],
  'loose skin': ['loose skin after weight loss'],
  chest: ['man boobs'],
  hair: ['hair transplant', 'hairline'],
}

/** '/rhinoplasty-oakville' */
export const landingPage = ({ name }: Procedure): string => `/${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-oakville`
