import { pdfFile } from './pdf.ts'

/** A document of the clinic, or one that a patient sends. */
export type Letter = { kind: 'consent' | 'quote' | 'notes' | 'referral'; patient: string; procedure: string; on: Date }

type Block =
  | { title: string }
  | { heading: string }
  | { text: string }
  | { row: [left: string, right: string]; isBold?: boolean }
  | { sign: [left: string, right: string] }

const clinic = ['Harbourview Plastic Surgery', '1 Lakeshore Road, Oakville, ON  L6J 1H5', '(905) 555-0118   team@refyne.example']
const doctor = ['Dr. A. Whitcombe, Family Medicine', '88 Kerr Street, Oakville, ON  L6K 3A5', '(905) 555-0162   Fax (905) 555-0163']

/** Renders a letter as a PDF with a letterhead, headings, paragraphs, rows, signature lines and page numbers. */
export function makeLetter(letter: Letter): Buffer {
  const { kind, patient, on } = letter
  const date = on.toLocaleDateString('en-CA', { dateStyle: 'long', timeZone: 'America/Toronto' })
  return layOutPages(kind === 'referral' ? doctor : clinic, [`Patient: ${patient}`, `Date: ${date}`], blocks[kind](letter))
}

const blocks: Record<Letter['kind'], (letter: Letter) => Block[]> = {
  consent: ({ patient, procedure }) => [
    { title: 'Consent to consultation and examination' },
    { text: `I ask Dr. Ngozi Okafor and her team to see me about ${procedure.toLowerCase()}, to take my history, and to examine me.` },
    { heading: '1. The consultation' },
    {
      text: 'The surgeon explains what can and cannot be achieved, which techniques are available, what recovery is like and what can go wrong. The consultation is not a commitment to surgery, and I may end it at any time. A second visit may be needed before anything is decided.',
    },
    { heading: '2. Photographs' },
    {
      text: 'Photographs are part of my chart. They are not shown to anyone outside my care team unless I sign a separate consent, which I may withdraw at any time.',
    },
    { heading: '3. My information' },
    {
      text: 'My health information is kept under the Personal Health Information Protection Act, 2004. I may view it, have it corrected, and ask who has viewed it. The clinic keeps it for at least ten years after my last visit.',
    },
    { heading: '4. Fees' },
    {
      text: 'The consultation fee is $150 plus HST. It is credited toward surgery that I book within six months. A consultation cancelled less than 48 hours in advance may be charged.',
    },
    { text: 'I have read this form, my questions have been answered, and I agree.' },
    { sign: [patient, 'Date'] },
    { sign: ['Witness', 'Date'] },
  ],
  quote: ({ procedure, patient }) => {
    const cents = 640_000 + (patient.length % 9) * 72_500
    const parts = [
      ['Surgeon', 0.62],
      ['Operating room and recovery', 0.26],
      ['Anaesthesiologist', 0.12],
    ] as const
    const hst = Math.round(cents * 0.13)
    return [
      { title: `Quote: ${procedure}` },
      { text: 'Thank you for your visit. Here is the cost of the surgery we discussed. The price is valid for 90 days.' },
      ...parts.map(([name, share]): Block => ({ row: [name, money(cents * share)] })),
      { row: ['Subtotal', money(cents)], isBold: true },
      { row: ['HST 13%', money(hst)] },
      { row: ['Total', money(cents + hst)], isBold: true },
      { heading: 'Payment' },
      { row: ['Deposit, due at booking', money((cents + hst) * 0.2)] },
      { row: ['Balance, two weeks before surgery', money((cents + hst) * 0.8)] },
      { heading: 'Included' },
      {
        text: 'The surgery, the anaesthesiologist, the operating room, one compression garment if needed, and all visits in the first year. Prescriptions and laboratory tests are not included.',
      },
      { heading: 'Cancellation' },
      { text: 'The deposit is refunded in full up to 30 days before surgery. After that, we keep the cost of items ordered for you.' },
      { sign: [patient, 'Date'] },
    ]
  },
  notes: ({ procedure }) => [
    { title: 'Notes from the consultation' },
    { row: ['Surgeon', 'Dr. Ngozi Okafor, FRCSC'] },
    { row: ['Reason', procedure] },
    { heading: 'History' },
    {
      text: 'Has thought about it for some years. No previous surgery in the area. No bleeding disorder, no known reaction to anaesthesia. Does not smoke. Takes a multivitamin and ibuprofen occasionally; was asked to stop both two weeks before surgery.',
    },
    { heading: 'Allergies' },
    { text: 'None known. Adhesive tape leaves redness for a day.' },
    { heading: 'Examination' },
    {
      text: 'In good general health, BMI 24. Good skin quality, mild asymmetry, which was shown in the mirror and in the photographs. No scars in the area. Findings are consistent with the patient’s request.',
    },
    { heading: 'Discussion' },
    {
      text: 'Techniques, location of the scars, time off work (two weeks at a desk, six before sport), and risks were discussed: bleeding, infection, numbness, poor scars, asymmetry, a second operation. Expectations are realistic. Photographs were taken in the standard views.',
    },
    { heading: 'Plan' },
    { text: 'Quote and recovery sheet by email. Blood test if surgery is booked. Will call with further questions.' },
    { sign: ['Dr. Ngozi Okafor', 'Date'] },
  ],
  referral: ({ patient, procedure }) => [
    { title: 'Referral' },
    { text: 'Dear Dr. Okafor,' },
    {
      text: `Thank you for seeing ${patient} about ${procedure.toLowerCase()}. The concern has been present for several years and affects daily life.`,
    },
    { heading: 'History' },
    {
      text: 'Generally well. Appendectomy in 2009 without complications. Mild asthma as a child, no medication now. No known drug allergies. Non-smoker. Blood pressure 118/74.',
    },
    { heading: 'Medication' },
    { text: 'Vitamin D 1,000 IU daily. No anticoagulants.' },
    { heading: 'Investigations' },
    { text: 'Complete blood count and electrolytes from last month were normal and are attached to the chart.' },
    { text: 'I would be grateful for your opinion, and for a copy of your report.' },
    { text: 'With kind regards,' },
    { sign: ['A. Whitcombe, MD, CCFP', 'CPSO 71 404'] },
  ],
}

const money = (cents: number) =>
  `$${(Math.round(cents) / 100).toLocaleString('en-CA', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

const [pageWidth, pageHeight, left, right] = [612, 792, 72, 540]
/** Average width of a Helvetica character, relative to the font size. */
const characterWidth = 0.5

/** Reduces a text to the characters of the PDF's built-in font. */
const toAscii = (text: string) => text.normalize('NFD').replace(/[^\x20-\x7e]/g, '')
const escapeText = (text: string) => toAscii(text).replace(/[\\()]/g, String.raw`\$&`)

function layOutPages(head: readonly string[], facts: readonly string[], content: readonly Block[]): Buffer {
  const pages: string[][] = []
  let y = 0
  const draw = (operators: string) => pages.at(-1)!.push(operators)
  const write = (text: string, x: number, size: number, font: 'F1' | 'F2' = 'F1', grey = 0.15) =>
    draw(`BT ${grey} g /${font} ${size} Tf ${x} ${y} Td (${escapeText(text)}) Tj ET`)
  const rule = (from: number, to: number, width = 0.6) => draw(`0.7 G ${width} w ${from} ${y} m ${to} ${y} l S`)
  const startPage = () => {
    pages.push([])
    y = 732
    write(head[0]!, left, 15, 'F2')
    for (const line of head.slice(1)) {
      y -= 14
      write(line, left, 9, 'F1', 0.4)
    }
    y -= 12
    rule(left, right, 1)
    y -= 26
  }
  const ensureSpace = (height: number) => {
    if (y - height < 72) startPage()
  }
  startPage()
  for (const fact of facts) {
    write(fact, left, 10)
    y -= 15
  }
  y -= 10
  for (const block of content) {
    if ('title' in block) {
      write(block.title, left, 17, 'F2')
      y -= 28
    } else if ('heading' in block) {
      ensureSpace(48)
      y -= 6
      write(block.heading, left, 11, 'F2')
      y -= 17
    } else if ('text' in block) {
      for (const line of wrap(block.text, 10.5)) {
        ensureSpace(15)
        write(line, left, 10.5)
        y -= 15
      }
      y -= 6
    } else if ('row' in block) {
      ensureSpace(22)
      const [name, value] = block.row
      const font = block.isBold ? 'F2' : 'F1'
      write(name, left, 10.5, font)
      write(value, right - value.length * 10.5 * characterWidth * 1.06, 10.5, font)
      y -= 7
      rule(left, right, 0.4)
      y -= 15
    } else {
      ensureSpace(64)
      y -= 34
      rule(left, 330)
      rule(370, right)
      y -= 13
      write(block.sign[0], left, 9, 'F1', 0.4)
      write(block.sign[1], 370, 9, 'F1', 0.4)
      y -= 14
    }
  }
  y = 44
  return assemble(
    pages.map((page, index) => [...page, `BT 0.5 g /F1 8 Tf ${left} 44 Td (Page ${index + 1} of ${pages.length}) Tj ET`].join('\n')),
  )
}

function wrap(text: string, size: number): string[] {
  const maxLength = Math.floor((right - left) / (size * characterWidth * 0.96))
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!
    if (last.length + word.length + 1 > maxLength) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}

/** Builds a PDF file from the drawing operators of its pages. */
function assemble(pages: readonly string[]): Buffer {
  const first = 5
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(' ')
  const resources = '/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >>'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    ...pages.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] ${resources} /Contents ${first + index * 2 + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ]
  return pdfFile(objects)
}
