import type { LabelProblem } from '../../barcode-rules.ts'

/** What is wrong with a label that was scanned or typed. */
export const labelProblems: Record<LabelProblem, string> = {
  unreadable: 'This is not the code of a device. Scan the GS1 DataMatrix or the barcode that begins with (01).',
  check_digit: 'The code was not read correctly: its check digit is wrong. Scan it again.',
  date: 'The code has a date that does not exist. Scan it again.',
  contradiction: 'The code contradicts itself. Scan one label at a time.',
}
