/** The command-line options. */
export type Options = {
  /** The number of contacts in each clinic. */
  sizes: number[]
  /** The number of audit log entries. */
  rows: number
  /** How long each side is measured at a time. */
  seconds: number
  /** The number of leads to process. */
  leads: number
  /** Part of the name of the cases to measure; empty for all. */
  only: string
}
