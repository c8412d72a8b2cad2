/**
 * The WHO Surgical Safety Checklist (2009), with the question on thromboembolism of the Canadian version: what is read aloud in each phase, and
 * when a phase may be confirmed.
 */

export const safetyPhases = ['sign_in', 'time_out', 'sign_out'] as const
export type SafetyPhase = (typeof safetyPhases)[number]

export const phaseLabels: Record<SafetyPhase, { name: string; when: string }> = {
  sign_in: { name: 'Sign in', when: 'Before anaesthesia' },
  time_out: { name: 'Time out', when: 'Before the incision' },
  sign_out: { name: 'Sign out', when: 'Before the patient leaves the operating room' },
}

/** `waived`: the phase did not take place here, for a stated reason. */
export const phaseOutcomes = ['confirmed', 'waived'] as const
export type PhaseOutcome = (typeof phaseOutcomes)[number]

/** Phases in which the patient is identified. */
export const isIdentified = (phase: SafetyPhase): boolean => phase !== 'sign_out'

/** Who answers an item aloud. */
export const teamRoles = { surgeon: 'Surgeon', anaesthesia: 'Anaesthesia', nurse: 'Nurse', team: 'Whole team' } as const
export type TeamRole = keyof typeof teamRoles

export const safetyAnswers = ['yes', 'no', 'not_applicable'] as const
export type SafetyAnswer = (typeof safetyAnswers)[number]

interface SafetyItem {
  id: string
  phase: SafetyPhase
  role: TeamRole
  question: string
  /** What can be answered, and how the button reads. */
  answers: Partial<Record<SafetyAnswer, string>>
  /** The answer with which the team stops: the phase cannot be confirmed. */
  stops?: SafetyAnswer
}

const done = { yes: 'Yes', no: 'No' } as const
const doneOrNone = { ...done, not_applicable: 'Not applicable' } as const
const item = (phase: SafetyPhase, role: TeamRole, id: string, question: string, answers: SafetyItem['answers'] = done): SafetyItem => ({
  id,
  phase,
  role,
  question,
  answers,
  stops: 'no',
})
/** A question about a risk: neither answer stops, because "Yes" says that the team is prepared. */
const risk = (phase: SafetyPhase, role: TeamRole, id: string, question: string, prepared: string): SafetyItem => ({
  id,
  phase,
  role,
  question,
  answers: { no: 'No', yes: prepared },
})

export const safetyItems: readonly SafetyItem[] = [
  item('sign_in', 'nurse', 'procedure_site_consent', 'The patient has confirmed the procedure, the site and the consent'),
  item('sign_in', 'surgeon', 'site_marked', 'The site is marked', doneOrNone),
  item('sign_in', 'anaesthesia', 'anaesthesia_check', 'The anaesthesia machine and the medications are checked', doneOrNone),
  item('sign_in', 'anaesthesia', 'pulse_oximeter', 'The pulse oximeter is on the patient and works', doneOrNone),
  risk('sign_in', 'nurse', 'allergy', 'Does the patient have a known allergy?', 'Yes, team informed'),
  risk('sign_in', 'anaesthesia', 'airway', 'Is there a difficult airway or a risk of aspiration?', 'Yes, equipment and help at hand'),
  risk('sign_in', 'anaesthesia', 'blood_loss', 'Is there a risk of losing more than 500 mL of blood?', 'Yes, access and fluids planned'),
  item('time_out', 'team', 'introductions', 'Everyone has said their name and role'),
  item(
    'time_out',
    'team',
    'procedure_and_incision',
    'Surgeon, anaesthesia and nurse agree on the procedure, the side and the place of the incision',
  ),
  item('time_out', 'anaesthesia', 'antibiotics', 'Antibiotics were given within the last 60 minutes', doneOrNone),
  item('time_out', 'team', 'thromboembolism', 'Measures against thromboembolism are in place', doneOrNone),
  item('time_out', 'surgeon', 'critical_steps', 'Surgeon: critical steps, duration and expected blood loss are said'),
  item('time_out', 'anaesthesia', 'patient_concerns', 'Anaesthesia: concerns about this patient are said', doneOrNone),
  item('time_out', 'nurse', 'sterility', 'Nurse: instruments are sterile, and equipment works'),
  item('time_out', 'surgeon', 'images', 'Photos, markings or images that are needed are displayed', doneOrNone),
  item('sign_out', 'nurse', 'procedure_recorded', 'The name of the procedure is recorded'),
  item('sign_out', 'nurse', 'counts', 'Counts of instruments, sponges and needles are complete', doneOrNone),
  item('sign_out', 'nurse', 'specimens', 'Specimens are labelled, with the patient’s name', doneOrNone),
  risk('sign_out', 'nurse', 'equipment', 'Did equipment fail?', 'Yes, reported'),
  item('sign_out', 'team', 'recovery', 'Surgeon, anaesthesia and nurse have said what matters for recovery'),
]

export const safetyItemIds = safetyItems.map(({ id }) => id)

export const itemsOfPhase = (phase: SafetyPhase): readonly SafetyItem[] => safetyItems.filter((one) => one.phase === phase)
export const safetyItem = (id: string): SafetyItem | undefined => safetyItems.find((one) => one.id === id)

interface Given {
  item: string
  answer: SafetyAnswer
}

/** What keeps a phase from being confirmed: items without an answer, and items whose answer stops the team. `answers`: the current ones. */
export function phaseProblems(phase: SafetyPhase, answers: readonly Given[]): { open: string[]; stopped: string[] } {
  const answerTo = (id: string) => answers.find((one) => one.item === id)?.answer
  const items = itemsOfPhase(phase)
  return {
    open: items.filter(({ id }) => answerTo(id) === undefined).map(({ id }) => id),
    stopped: items.filter(({ id, stops }) => stops !== undefined && answerTo(id) === stops).map(({ id }) => id),
  }
}

/** The newest answer to each item. `answers`: oldest first. */
export const currentAnswers = <Answer extends Given>(answers: readonly Answer[]): Answer[] => [
  ...new Map(answers.map((one) => [one.item, one])).values(),
]

/** The phase that comes next; null once the checklist is done. */
export const nextPhase = (closed: readonly { phase: SafetyPhase }[]): SafetyPhase | null =>
  safetyPhases.find((phase) => !closed.some((one) => one.phase === phase)) ?? null
