/** What the control of a question needs to be labelled. */
export interface Wiring {
  id: string
  labelId: string
  describedBy: string | undefined
  isInvalid: boolean
}
