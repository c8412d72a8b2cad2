import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { CircleAlert } from 'lucide-react'
import { Card, PortalButton, sectionTitle } from '../../../../ui/patient/parts.tsx'
import type { FormDefinition, Question } from '../../definition-rules.ts'
import { formatPercent, type Language } from '../../../../shared/translations.ts'
import {
  type AnswerProblem,
  checkAnswers,
  type GivenAnswers,
  isAnswered,
  isDayOfSigning,
  progressOf,
  visibleSections,
} from '../../rules.ts'
import type { FormFiles } from '../fill/FileField.tsx'
import { problemMessage } from '../fill/problem-message.ts'
import { controlId, QuestionField } from '../fill/QuestionField.tsx'
import { formTexts } from './texts.ts'

interface FormSectionsProps {
  definition: FormDefinition
  answers: GivenAnswers
  onAnswer: (questionId: string, value: unknown) => void
  language: Language
  /** The practice's day. */
  today: string
  /** The section that is shown, by its id; the first if it is not visible. */
  sectionId: string | null
  onSection: (sectionId: string) => void
  /** Files of the patient, and how one is added. */
  files?: FormFiles
  /** What the server found; shown with what is found here. */
  serverProblems?: readonly AnswerProblem[]
  /** Above the buttons: whether the answers are saved. */
  saveState?: ReactNode
  /** Called when nothing is missing. */
  onSubmit: () => void
  isSubmitting?: boolean
  submitError?: string | null
}

/**
 * A form as a patient fills it in: one section at a time, with its progress. What is wrong is shown once the patient wants to go on, beside
 * the question and in a summary that takes the focus.
 */
export function FormSections(props: FormSectionsProps) {
  const { definition, answers, onAnswer, language, today, onSection, serverProblems = [], onSubmit } = props
  const t = formTexts[language]
  const sections = visibleSections(definition, answers).filter(({ questions }) => questions.length > 0)
  const at = Math.max(
    0,
    sections.findIndex(({ section }) => section.id === props.sectionId),
  )
  const current = sections[at]
  const isLast = at === sections.length - 1
  /** Sections that the patient has tried to leave. */
  const [tried, setTried] = useState<ReadonlySet<string>>(new Set())
  const heading = useRef<HTMLHeadingElement>(null)
  const summary = useRef<HTMLDivElement>(null)
  const [arrivals, setArrivals] = useState(0)
  const [refusals, setRefusals] = useState(0)
  useEffect(() => {
    if (arrivals === 0) return
    scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [arrivals])
  useEffect(() => {
    if (refusals > 0) summary.current?.focus()
  }, [refusals])

  const problems = checkAnswers(definition, answers, today, props.files?.names)
  const known = [...problems, ...serverProblems.filter(({ question }) => !problems.some((own) => own.question === question))]
  const problemOf = (question: Question) => known.find((one) => one.question === question.id)?.code ?? null
  const isUndated = (question: Question) => !isAnswered(answers[question.id]) || problemOf(question) !== null
  const undated = current?.questions.find((question) => isDayOfSigning(current.section, question) && isUndated(question))?.id
  const date = useEffectEvent((questionId: string) => answers[questionId] !== today && onAnswer(questionId, today))
  useEffect(() => {
    if (undated !== undefined) date(undated)
  }, [undated])
  if (!current) return null
  const isTried = tried.has(current.section.id)
  const shown = isTried ? current.questions.flatMap((question) => problemOf(question) ?? []) : []

  function goTo(sectionId: string) {
    onSection(sectionId)
    setArrivals((count) => count + 1)
  }
  function refuse(ids: readonly string[]) {
    setTried(new Set([...tried, ...ids]))
    setRefusals((count) => count + 1)
  }
  function leave() {
    if (current!.questions.some((question) => problemOf(question) !== null)) return refuse([current!.section.id])
    if (!isLast) return goTo(sections[at + 1]!.section.id)
    const open = sections.find(({ questions }) => questions.some((question) => problemOf(question) !== null))
    if (!open) return onSubmit()
    onSection(open.section.id)
    refuse(sections.map(({ section }) => section.id))
  }

  return (
    <form
      noValidate
      aria-label={definition.title[language]}
      onSubmit={(event) => {
        event.preventDefault()
        if (!props.isSubmitting) leave()
      }}
    >
      <Progress
        language={language}
        label={t('progress')}
        percent={progressOf(definition, answers)}
        detail={t('section', { at: at + 1, of: sections.length })}
      />
      <Card className="mt-5 flex flex-col gap-7" aria-label={current.section.title[language]}>
        <div>
          <h2 ref={heading} tabIndex={-1} className={`${sectionTitle} outline-none`}>
            {current.section.title[language]}
          </h2>
          {current.section.help && <p className="pt-1.5 text-portal whitespace-pre-line text-fg-2">{current.section.help[language]}</p>}
        </div>
        {shown.length > 0 && (
          <div
            ref={summary}
            tabIndex={-1}
            className="flex gap-3 rounded-lg border border-danger-line bg-danger-soft p-4 text-portal outline-none focus-visible:outline-2 focus-visible:outline-focus"
          >
            <CircleAlert aria-hidden="true" className="mt-1 size-4.5! flex-none text-danger-fg" />
            <div className="min-w-0">
              <p className="font-semibold">{t('summary', { count: shown.length })}</p>
              <ul className="pt-1">
                {current.questions.map((question) => {
                  const code = problemOf(question)
                  return (
                    code && (
                      <li key={question.id}>
                        <a
                          href={`#${controlId(question.id)}`}
                          className="flex min-h-12 items-center underline underline-offset-4"
                          onClick={(event) => {
                            event.preventDefault()
                            focusQuestion(question.id)
                          }}
                        >
                          {question.label[language]}
                        </a>
                        <span className="sr-only">: {problemMessage(question, code, language, today)}</span>
                      </li>
                    )
                  )
                })}
              </ul>
            </div>
          </div>
        )}
        {current.questions.map((question) => (
          <QuestionField
            // A field keeps what is being typed: another section is another field.
            key={question.id}
            question={question}
            value={Object.hasOwn(answers, question.id) ? answers[question.id] : undefined}
            onChange={(value) => onAnswer(question.id, value)}
            language={language}
            today={today}
            files={props.files}
            // A text that is too long says so at once, as it is never cut.
            problem={isTried || problemOf(question) === 'TOO_LONG' ? problemOf(question) : null}
            isDayOfSigning={isDayOfSigning(current.section, question)}
          />
        ))}
        {props.submitError && (
          <p role="alert" className="flex gap-2.5 text-portal font-medium text-danger-fg">
            <CircleAlert aria-hidden="true" className="mt-1 size-4.5! flex-none" />
            {props.submitError}
          </p>
        )}
        <div className="flex flex-col gap-4">
          {props.saveState}
          <div className="flex flex-wrap gap-3">
            {at > 0 && (
              <PortalButton className="max-md:flex-1" onClick={() => goTo(sections[at - 1]!.section.id)}>
                {t('back')}
              </PortalButton>
            )}
            <PortalButton
              type="submit"
              variant="filled"
              className="max-md:flex-1"
              busy={props.isSubmitting}
              busyLabel={isLast ? t('submitting') : undefined}
            >
              {isLast ? t('submit') : t('next')}
            </PortalButton>
          </div>
        </div>
      </Card>
    </form>
  )
}

/** Focuses the control of a question, or the first of its group. */
function focusQuestion(id: string) {
  const found = document.getElementById(controlId(id))
  const target = found?.tagName === 'FIELDSET' ? (found.querySelector<HTMLElement>('input, button, select, textarea') ?? found) : found
  target?.focus()
  found?.scrollIntoView({ block: 'center' })
}

function Progress({ label, percent, detail, language }: { label: string; percent: number; detail: string; language: Language }) {
  return (
    <div>
      <p className="flex justify-between gap-4 pb-2 text-title text-fg-2">
        <span>{detail}</span>
        <span className="tabular-nums">{formatPercent(percent, language)}</span>
      </p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-1.5 overflow-hidden rounded-full bg-active"
      >
        <div className="h-full rounded-full bg-accent transition-[width] duration-(--dur-2)" style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}
