/** What the command line asks for. */
export type Options = {
  /** The clinics' numbers of contacts. */
  sizes: number[]
  /** Of the audit log: how many entries it has. */
  rows: number
  /** How long each side is asked at a time. */
  seconds: number
  /** Part of the name of the cases to measure; empty for all. */
  only: string
}
