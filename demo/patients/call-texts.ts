/**
 * Staff notes about calls and emails. Placeholders: {procedure}, {topic} (without an article), {provider}, {consult}, {surgery}, {price},
 * {deposit}, {month}, {day}, and the pronouns {She}, {she}, {Her}, {her}, {them} (she or he, her or his, her or him).
 */
const lines = (text: string): string[] => text.trim().split(/\n\s*/)

export const voicemails = lines(`
  Left a voicemail with the clinic's number and my hours.
  Voicemail. Said I am calling about the {topic} request and will try again {day}.
  Left a message, asked for a good time to call back. No details left, shared mailbox.
  Voicemail is in the partner's name, left first name and number only.
  Left a voicemail and followed up with a text, since {she} agreed to texts on the form.
  Voicemail. Sent the email with the booking link as well.
  Voicemail full on the first try, got through to it in the afternoon and left a message.
  Left a message at the work number, extension picks up after 4 rings.`)

export const noAnswers = lines(`
  No answer, no voicemail set up.
  Rang out. Will try after 5 p.m.
  No answer. The number on the form rings twice and drops.
  Mailbox full, could not leave a message.
  No pick-up. Trying {day} morning instead.
  Line busy both times.
  Call declined after one ring, sent a text instead.`)

export const firstCalls = lines(`
  Interested in {procedure}. Explained how the consult works and the $150 fee, which comes off the surgery. Will check {her} calendar.
  Good call, about ten minutes. Has been thinking about {procedure} for years and wants to do it before {month}. Sending the brochure.
  Called between meetings. Wants prices in writing before booking. Gave the range for {procedure}.
  Comparing two clinics. Asked how many of these {provider} does in a year and whether an overnight stay is needed.
  Found us through a friend. Main question is time off work: told {them} two weeks for a desk job, six before the gym.
  Nervous about the anaesthetic, had a bad time waking up once. Explained who gives it and what the pre-op call covers.
  Asked about financing over 24 months. Sent the link and said the quote comes after the consult.
  Would need {her} sister to drive {them}. Prefers a Friday.
  Wants to wait until after a trip. Agreed to a call in {month}.
  Smokes about five a day. Told {them} four weeks without nicotine before and after, {she} will talk to the family doctor.
  Works shifts, so evenings only. Interested, will look at the before-and-afters and call back.
  Had surgery abroad and is not happy with it. Asked for the operative report, {she} will try to get it.
  Already knows {she} wants {procedure}. Only open question is the date, school holidays would be best.
  Partner was on the call too. Both had questions about scars and about what happens if a touch-up is needed.
  Short call, {she} was driving. Asked me to email the price range and call {day}.`)

export const frenchCalls = lines(`
  Spoke in French, prefers that for everything in writing. Has questions about {procedure}, brochure in French sent.
  Call in French. Relieved that we speak it. Will look at {her} calendar for a consult.`)

export const firstEmails = lines(`
  Answered the questions from the form, with the price range for {procedure} and three consult times.
  Sent the {topic} brochure and the recovery sheet, asked for a good time to call.
  Replied to {her} questions with photos of comparable cases attached.
  {She} asked by email whether OHIP covers any of it. Explained what the referral needs to say.
  Sent directions, parking and the consult fee. Asked for a list of medications.`)

export const bookings = lines(`
  Booked the consult with {provider} for {consult}. Will bring {her} list of medications.
  Consult on {consult}, Oakville. Fee taken by card over the phone. Prefers texts after 5 p.m.
  Chose {consult} out of three times. Coming with {her} mother.
  Moved things around at work for {consult}. Intake form and photo instructions sent.
  Booked for {consult}. Asked {them} to come without contact lenses and with old photos.
  Took the cancellation on {consult}. Knows about the 48-hour cancellation policy.
  Wanted a female surgeon, happy with {provider}. Booked {consult}.
  Consult set for {consult}, late enough for the drive. Route and parking sent.`)

export const bookingEmails = lines(`
  {She} wrote back that {consult} works. Confirmed with the intake form and directions.
  Booked online for {consult}. Sent the confirmation and the parking note.
  Confirmed {consult} by email, asked again for the referral letter.`)

export const quoteEmails = lines(`
  Sent the quote for {procedure}: {price} plus HST, facility and anaesthesia included. Valid for 90 days.
  Quote sent, {price} plus HST. Added the financing sheet because {she} asked about monthly payments.
  Emailed the quote ({price} plus HST), the consent form to read and two possible dates in {month}.
  Quote of {price} plus HST sent, in two versions as discussed.
  Sent the quote and photos of three similar cases, as discussed with {provider}. {price} plus HST.`)

export const afterQuote = lines(`
  Has the quote, talking it over at home. Call again {day}.
  Asked whether the price holds until {month}. Told {them} 90 days from the date on it.
  Likes the plan, waiting for {her} vacation days to be approved.
  Wanted to know what is included: garments yes, prescriptions no.
  Another clinic is $1,200 lower but without an anaesthesiologist in the room. Explained the difference, no pressure.
  Financing approved for most of it. Will decide this week.
  Not ready yet, asked me to check back in {month}.`)

export const acceptances = lines(`
  Accepted the quote. Surgery on {surgery}, deposit of {deposit} by Visa. Pre-op call to be set two weeks before.
  Ready to go ahead. Took {surgery} and paid the deposit of {deposit}. {Her} partner will drive and stay the night.
  Booked {surgery}. Went over fasting, no ibuprofen for two weeks, and who picks {them} up.
  Deposit of {deposit} received by e-transfer, {surgery} is confirmed with the OR.
  Chose {surgery} over the earlier date because of {her} work. Signed the consent form online.
  Approved by the financing company, so {surgery} it is. Balance due two weeks before.`)

export const preOps = lines(`
  Pre-op call done. Blood work is booked, no changes in medication, ride home arranged.
  Reminded {them} of the balance and of the garment to bring. Has a cold, will call if it gets worse.
  Went through the pre-op sheet. Stops {her} supplements today. All questions answered.
  Confirmed arrival at 6:45 a.m. and nothing to eat after midnight.`)

/** Days after surgery, and the note. */
export const postOps: [number, string][] = [
  [1, 'Day-after call: slept well, pain 3 of 10 on Tylenol. Knows when to call.'],
  [1, 'Day-after call: a bit of nausea, eating toast. Drain output as expected, {her} sister is with {them}.'],
  [7, 'One week on, dressings off and happy so far. Swelling as expected.'],
  [14, 'Two weeks on, back at {her} desk. Asked when {she} may drive and run again.'],
  [42, 'Six-week visit booked. Very pleased with the result so far.'],
  [91, 'Three months on, photos taken for the chart. Agreed that we may use them without {her} face.'],
]

export const nurtures = lines(`
  Checking in as agreed. Still interested, not before {month}.
  Caught {them} at lunch. Saving up, wants to hear about the spring dates.
  Still deciding. Asked for the recovery sheet again, sent it.
  Has a new job and no vacation yet. Call again in {month}.
  Said the timing is better now. Will look at two dates and get back to us by {day}.
  Family matters come first at the moment. Was glad about the call.`)

export const nurtureEmails = lines(`
  Sent the open consult times for {month}.
  Sent a short note with the new before-and-after page for {procedure}.
  Checked in by email, offered a 15-minute call with the nurse.`)

export const coldNotes = lines(`
  Three calls and two emails without a reply. Closing for now.
  Went with a clinic closer to work.
  Cannot afford it this year. Asked us not to call, email is fine.
  Smokes and does not want to stop. Explained that we cannot go ahead unless {she} quits.
  Changed {her} mind about surgery altogether. Friendly goodbye.
  A baby is on the way. May come back next year.
  Had it done abroad.
  Number no longer in service, emails bounce.
  Only wanted a price. Did not reply to the two follow-ups.
  Partner is against it. {She} will call if that changes.`)

export const notes = lines(`
  Prefers texts after 5 p.m.
  Prefers to be called at work, ask for {them} by first name only.
  Allergic to latex and to penicillin, told the nurse.
  Referred by {her} sister, who had {procedure} with us.
  Sent photos by email, uploaded to the chart.
  Asked for a quiet waiting room, does not want to be seen.
  Will pay cash, asked for a receipt in {her} full legal name.
  No interpreter needed, {her} daughter is coming along.
  Taking isotretinoin until {month}, nothing surgical for six months after.
  Keep on the cancellation list, can come within two hours.
  Wedding in {month}, has to be fully healed by then.
  Uses a wheelchair ramp, room 1 please.
  Had COVID last week, moved the call.
  Loyalty discount of 5 % for the second procedure, agreed with Helena.
  The family doctor will send the cardiology letter directly.`)
