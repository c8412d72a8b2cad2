import type { Concern } from '../procedures.ts'

const lines = (text: string): string[] => text.trim().split(/\n\s*/)

/** What patients say about their concern on the first call; same placeholders as in call-texts.ts. */
export const concerns: Record<Concern, string[]> = {
  nose: lines(`
    Breathing is worse on the left since a fall in 2019. Will bring {her} ENT letter.
    The hump bothers {them} in profile photos, wants it subtle. Breathes well.
    Broke {her} nose playing hockey at 16, never set. Snores.
    Wants the tip refined but keep {her} family's nose.
    Sprays every night for years. Asked whether both can be done at once.`),
  'second nose': lines(`
    First surgery in 2017 elsewhere, the bridge has sunk since. Has the old photos.
    Breathing got worse after the first operation. Wants to be sure this is the last one.`),
  face: lines(`
    Mostly the jowls and the neck. Says {she} looks tired in every video call.
    Lost 40 lb and the neck did not follow.
    {Her} sister's lift looks natural, wants the same and nothing tighter.
    Has had fillers for six years and wants to be done with them.
    Turning 60 in {month}, wants to look rested and not different.`),
  chin: lines(`
    Profile bothers {them} since the braces came off. Jaw surgery was never an option.
    Saw {her} wedding photos from the side. Asked about the scar and about feeling in the lip.`),
  lids: lines(`
    Upper lids rest on the lashes by evening. Optometrist did a visual field test.
    Always asked whether {she} is tired. Dry eyes in winter, uses drops.
    Bags since {her} twenties, runs in the family.
    Cannot wear {her} reading glasses for long, the brow gets heavy.`),
  crease: lines(`
    Crease on one side only, uses tape every morning. Wants it natural.
    Has thought about it since university. Wants to see cases with {her} kind of lid.`),
  ears: lines(`
    Teased about {her} ears at school, wears {her} hair over them to this day.
    One ear stands out more than the other. Wants it done before a wedding in {month}.
    Helmet hurts. Asked whether one side alone can be done.`),
  augmentation: lines(`
    Done with breastfeeding two years ago, wants back what {she} had.
    Thinks of a C cup, does not want it to show at work.
    Between two sizes, would like to try the sizers.
    One side is a full cup smaller. Asked about two different implants.`),
  reduction: lines(`
    Neck and shoulder pain, grooves from the straps. Family doctor wrote a referral.
    Runs with two sports bras. Asked how soon {she} can train for a half-marathon.
    Rashes every summer, physio for the back for three years. Hopes that OHIP covers it.`),
  'breast lift': lines(`
    Three children, everything went south. Not sure about implants yet.
    Lost 50 lb. Wants them where they were, size does not matter.
    Asked about the scars first of all. Sent photos at three and at twelve months.`),
  exchange: lines(`
    Implants from 2009, one has become firm. Mammogram in spring was clear.
    Wants them out or smaller, has not decided. Implant card is at {her} mother's.
    Got a recall letter about textured implants. Worried, offered the earliest consult.`),
  tummy: lines(`
    Two C-sections, the muscles have not come back in spite of Pilates.
    Stable at {her} weight for a year. Skin fold gets sore in summer.
    Not sure between liposuction and a tuck. Sent both sheets.
    Small hernia at the navel too, asked whether it can be fixed in one go.`),
  fat: lines(`
    Trains four times a week, the flanks do not move.
    Same weight for five years, wants {her} waist back.
    Had CoolSculpting twice without much change.
    Asked about the garment at work and about driving.`),
  'loose skin': lines(`
    Lost 85 lb with surgery in 2022. Starting with the part that bothers {them} most.
    Has not worn short sleeves in ten years.
    Skin rubs when {she} walks. Weight has been steady since spring.`),
  labia: lines(`
    Cycling hurts. Would rather talk to the nurse or {provider} about the rest.
    Short call, discreet. Email only, please.`),
  chest: lines(`
    Has not taken {her} shirt off at the beach since high school.
    Gym every day, but the chest stays. Endocrine blood work was normal.
    Tender on the right side. Family doctor ordered an ultrasound.`),
  hair: lines(`
    Receding since 25, father and brother too. Takes finasteride for a year now.
    Had a strip done in 2012, wants the scar covered and the crown filled.
    Asked about shaving the back and how soon {she} can wear a hard hat.`),
  scar: lines(`
    Scar from a bicycle fall, raised and itchy.
    Burn scar on the forearm, two years old.
    Scar on the chin from childhood, make-up no longer covers it.`),
  mole: lines(`
    Two moles on the neck that catch on necklaces. Dermatologist says harmless.
    Mole on the cheek, has it since birth. Wants as small a scar as possible.`),
}
