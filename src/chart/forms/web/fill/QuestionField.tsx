import { useId, type ReactNode } from 'react'
import { ErrorLine } from '../../../../ui/patient/parts.tsx'
import { cn } from '../../../../ui/cn.ts'
import { type Question, scaleRange } from '../../definition-rules.ts'
import { formatLongDay, type Language } from '../../../../shared/translations.ts'
import { type AnswerProblemCode, limitDay } from '../../rules.ts'
import { formTexts } from '../embed/texts.ts'
import { BodyField } from './BodyField.tsx'
import { ChoiceList, ChoicesList } from './ChoiceFields.tsx'
import { FileField, type FormFiles } from './FileField.tsx'
import { NumberField } from './NumberField.tsx'
import { problemMessage } from './problem-message.ts'
import { SignatureField } from '../embed/SignatureField.tsx'
import type { Wiring } from './wiring.ts'

interface FieldProps {
  question: Question
  value: unknown
  onChange: (value: unknown) => void
  language: Language
  today: string
  files?: FormFiles | undefined
  /** What is wrong, if it is to be shown. */
  problem: AnswerProblemCode | null
  /** The day of signing, which the page fills in. */
  isDayOfSigning?: boolean
}

export const controlId = (questionId: string): string => `question-${questionId}`
const control = 'field-edge w-full min-w-0 rounded-lg px-4 text-portal'

/** One question with its label, help, problem and control. Groups of controls are labelled by a legend. */
export function QuestionField(props: FieldProps) {
  const { question, language, today, problem } = props
  const own = useId()
  const t = formTexts[language]
  const helpId = `${own}help`
  const errorId = `${own}error`
  const wiring: Wiring = {
    id: controlId(question.id),
    labelId: `${own}label`,
    describedBy: [question.help && helpId, problem && errorId].filter(Boolean).join(' ') || undefined,
    isInvalid: problem !== null,
  }
  const isGroup = !['text', 'long_text', 'number', 'date'].includes(question.type)
  const label = (
    <>
      {question.label[language]}
      {!question.isRequired && !props.isDayOfSigning && <span className="font-normal text-fg-3"> {t('optional')}</span>}
    </>
  )
  const rest = (
    <>
      {question.help && (
        <p id={helpId} className="text-title leading-relaxed whitespace-pre-line text-fg-2">
          {question.help[language]}
        </p>
      )}
      {problem && <ErrorLine id={errorId}>{problemMessage(question, problem, language, today)}</ErrorLine>}
      <Control {...props} wiring={wiring} />
    </>
  )
  if (!isGroup) {
    return (
      <div className="flex flex-col gap-2">
        <label id={wiring.labelId} htmlFor={wiring.id} className="text-portal font-semibold [overflow-wrap:anywhere]">
          {label}
        </label>
        {rest}
      </div>
    )
  }
  return (
    <fieldset
      id={wiring.id}
      tabIndex={-1}
      aria-describedby={wiring.describedBy}
      aria-invalid={wiring.isInvalid || undefined}
      className="group/question min-w-0 outline-none"
    >
      <legend id={wiring.labelId} className="pb-2 text-portal font-semibold [overflow-wrap:anywhere]">
        {label}
      </legend>
      <div className="flex flex-col gap-2">{rest}</div>
    </fieldset>
  )
}

function Control({
  question,
  value,
  onChange,
  language,
  today,
  files,
  wiring,
  isDayOfSigning,
}: FieldProps & { wiring: Wiring }): ReactNode {
  const text = typeof value === 'string' ? value : ''
  const native = {
    id: wiring.id,
    'aria-describedby': wiring.describedBy,
    'aria-invalid': wiring.isInvalid || undefined,
    'aria-required': question.isRequired,
  }
  const t = formTexts[language]
  switch (question.type) {
    case 'text':
      return (
        <input {...native} type="text" value={text} onChange={({ target }) => onChange(target.value)} className={cn(control, 'h-14')} />
      )
    case 'long_text':
      return (
        <textarea
          {...native}
          rows={4}
          value={text}
          onChange={({ target }) => onChange(target.value)}
          className={cn(control, 'field-sizing-content max-h-120 min-h-30 resize-none py-3')}
        />
      )
    case 'number':
      return (
        <NumberField
          native={native}
          unit={question.unit}
          value={value}
          onChange={onChange}
          language={language}
          className={cn(control, 'h-14')}
        />
      )
    case 'date':
      if (isDayOfSigning)
        return (
          <output id={wiring.id} className="text-portal">
            {formatLongDay(text || today, language)}
          </output>
        )
      return (
        <input
          {...native}
          type="date"
          min={question.earliest === null ? '1900-01-01' : limitDay(question.earliest, today)}
          max={question.latest === null ? '2199-12-31' : limitDay(question.latest, today)}
          value={text}
          onChange={({ target }) => onChange(target.value)}
          className={cn(control, 'h-14 md:max-w-60')}
        />
      )
    case 'yes_no':
      return (
        <ChoiceList
          name={wiring.id}
          isRow
          options={[
            { value: true, label: t('yes') },
            { value: false, label: t('no') },
          ]}
          value={value}
          onChange={onChange}
        />
      )
    case 'choice':
      return (
        <ChoiceList
          name={wiring.id}
          options={question.options.map(({ id, label }) => ({ value: id, label: label[language] }))}
          value={value}
          onChange={onChange}
        />
      )
    case 'choices':
      return <ChoicesList question={question} value={value} onChange={onChange} language={language} />
    case 'scale':
      return (
        <div className="flex flex-col gap-2">
          <div className="grid grid-cols-6 gap-1.5 md:grid-cols-11">
            {Array.from({ length: scaleRange.max + 1 }, (_, mark) => (
              <label
                key={mark}
                className="relative flex h-12 cursor-pointer items-center justify-center rounded-lg border border-line-control bg-raised text-portal tabular-nums has-checked:border-accent has-checked:bg-accent-soft has-checked:font-semibold group-aria-invalid/question:border-danger has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
              >
                <input
                  type="radio"
                  name={wiring.id}
                  checked={value === mark}
                  onChange={() => onChange(mark)}
                  className="absolute inset-0 cursor-pointer appearance-none outline-none"
                  aria-label={
                    mark === 0
                      ? `0, ${question.ends?.low[language] ?? ''}`
                      : mark === scaleRange.max
                        ? `${mark}, ${question.ends?.high[language] ?? ''}`
                        : String(mark)
                  }
                />
                <span aria-hidden="true">{mark}</span>
              </label>
            ))}
          </div>
          {question.ends && (
            <p aria-hidden="true" className="flex justify-between gap-4 text-title text-fg-2">
              <span>{t('scaleEnd', { mark: 0, label: question.ends.low[language] })}</span>
              <span className="text-right">{t('scaleEnd', { mark: scaleRange.max, label: question.ends.high[language] })}</span>
            </p>
          )}
        </div>
      )
    case 'body':
      return <BodyField value={value} onChange={onChange} language={language} />
    case 'file':
    case 'photo':
      return <FileField question={question} value={value} onChange={onChange} language={language} files={files} wiring={wiring} />
    case 'signature':
      return <SignatureField value={value} onChange={onChange} language={language} isInvalid={wiring.isInvalid} />
  }
}
