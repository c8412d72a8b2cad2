import type { Concern } from '../procedures.ts'

const lines = (text: string): string[] => text.trim().split(/\n\s*/)

/** The provider's consult notes; same placeholders as in call-texts.ts. */
export const findings: Record<Concern, string[]> = {
  nose: lines(`
    Septum deviated to the left, dorsal hump 2 mm. Discussed an open approach with spreader grafts, cast for a week. Imaging done, {she} likes the conservative version.
    Thick skin, bulbous tip. Went through what refinement can and cannot do. Photos taken.
    Septum straight, turbinates large. Hump and tip only, closed approach. Realistic about the result.`),
  'second nose': lines(`
    Saddle deformity, will need rib cartilage. Asked for the first operative report.
    Tip pinched, valve weak on the left. Batten grafts from the ear, open approach. Knows the odds.`),
  face: lines(`
    Good candidate. SMAS well mobile, platysmal bands at rest. Discussed deep plane with neck, two weeks of social downtime, risks incl. haematoma.
    Good skin, heavy neck. Went through what each procedure would change, photos from four sides. Wants it before the holidays.`),
  chin: lines(`
    Microgenia of about 6 mm, bite normal. Medium anatomical implant through the submental crease. Numbness explained.`),
  lids: lines(`
    Dermatochalasis both sides, brow in place. Upper lids alone will do, local anaesthesia with sedation.
    Fat prominent, good tone of the lower lid. Transconjunctival approach. Dry-eye test normal.
    Brow low on the right, lids follow. Showed in the mirror what each of the two would change.`),
  crease: lines(`
    Crease at 7 mm agreed on with {them} in the mirror. Incision technique.
    Good for the suture technique, thin lid. Knows that it may fade over the years.`),
  ears: lines(`
    Antihelical fold flat, concha deep on the right. Sutures and conchal set-back, headband for two weeks.
    Mild prominence on both sides. Local anaesthesia is enough.`),
  augmentation: lines(`
    Base width 12.5 cm, pinch 2 cm. Tried 300 and 335 cc. Dual plane, inframammary. Asked for a night to think about size.
    Asymmetry of about 60 cc, explained that it will be less and not gone. 275 and 335 cc.
    Slim, pinch 1.5 cm, so under the muscle. 285 cc round. Capsule and replacement explained.`),
  reduction: lines(`
    Notch to nipple 29 cm, about 450 g per side to come off. Meets the criteria for the referral, form filled in.
    Wise pattern, inferior pedicle. Feeding and sensation discussed. Mammogram before.`),
  'breast lift': lines(`
    Grade 2 ptosis. Lift first, implants only if upper fullness matters to {them}. Scars drawn on the photo.
    Grade 3, good volume. Lift alone, vertical scar. No implants wanted after seeing the cases.`),
  exchange: lines(`
    Capsular contracture grade 3 on the left. Exchange with capsulectomy, ultrasound before.
    Intact on ultrasound. Prefers smaller, 250 cc, with a small lift. Implant card seen.`),
  tummy: lines(`
    Diastasis of 4 cm, skin excess below the navel. Full tuck with repair, drains for about a week. Non-smoker.
    Umbilical hernia 1 cm, can be closed at the same time. Family is complete.`),
  fat: lines(`
    Pinch test good, skin elastic. Liposuction alone, garment for six weeks.
    About 2.5 L expected. Day surgery, walking the same evening.`),
  'loose skin': lines(`
    Weight stable for nine months. Plan in two stages, three months apart.
    Skin excess without much fat. Scar along the inner side, shown on photos. Accepts it.`),
  labia: lines(`
    Trim technique, local with sedation. No cycling for six weeks. Questions answered.`),
  chest: lines(`
    Glandular disc of 4 cm on both sides, skin tight. Excision through the areola with liposuction. Vest for four weeks.
    Mostly fat, little gland. Liposuction first, excision if needed. Ultrasound seen, benign.`),
  hair: lines(`
    Norwood 4, donor density good. About 2,400 grafts by FUE in one day. Stays on finasteride.
    Donor limited after the strip. 1,500 grafts to the hairline, crown to be left.`),
  scar: lines(`
    Mature, widened to 8 mm. Z-plasty under local.`),
  mole: lines(`
    Excision under local, 30 minutes. Specimen to pathology.
    Shave excision is enough. Photographed with the dermatoscope.`),
}

/** The provider's notes for some patients who are advised to wait or not to have surgery. */
export const doubts: Partial<Record<Concern, string[]>> = {
  'second nose': lines(`
    Pinched tip, valve collapse on both sides. Batten grafts from the ear. Wait until 12 months after the first surgery.`),
  face: lines(`
    Early jowls, skin in good condition. Offered surgery or to wait two years, no harm in waiting.
    On ramipril, pressure 138 over 84 today. Needs to be steady before any lift.`),
  tummy: lines(`
    BMI 31. Talked about results and risk at this weight, {she} will come back at 28.`),
  fat: lines(`
    Mostly under the muscle, so surgery would disappoint. Suggested three months with the dietitian first.`),
  scar: lines(`
    Hypertrophic, still active. Silicone and two injections first, revision in six months if needed.`),
}

/** The specialist to see before surgery, and why. */
export const specialists: Partial<Record<Concern, [string, string][]>> & { any: [string, string][] } = {
  nose: [['Otolaryngology', 'Deviated septum']],
  'second nose': [['Otolaryngology', 'Airway after an earlier rhinoplasty']],
  lids: [['Ophthalmology', 'Dry eye, visual field test']],
  exchange: [['Radiology', 'Integrity of the implants']],
  chest: [['Endocrinology', 'Tender, hormone levels to be ruled out']],
  any: [
    ['Cardiology', 'Murmur heard by the family doctor, clearance before anaesthesia'],
    ['Endocrinology', 'Type 2 diabetes, HbA1c 8.1'],
    ['Haematology', 'Clot in the leg in 2018'],
    ['Anaesthesiology', 'Difficult airway noted at a surgery abroad'],
    ['Respirology', 'Sleep apnea, uses CPAP'],
  ],
}

export const specialistResults = lines(`
  Cleared for surgery, letter in the chart.
  No objection. Recommends stopping the anticoagulant five days before.
  Cleared with monitoring overnight.
  Findings confirmed, may go ahead. To be seen again after six months.`)

/** Weight-loss medications; the anaesthetist must know about them. */
export const weightLossMedications = [
  'Ozempic 0.5 mg weekly',
  'Ozempic 1 mg weekly',
  'Wegovy 1.7 mg weekly',
  'Wegovy 2.4 mg weekly',
  'Mounjaro 5 mg weekly',
  'Mounjaro 7.5 mg weekly',
  'Saxenda 3 mg daily',
  'Rybelsus 14 mg daily',
  'Contrave, twice daily',
]
