import { Braces } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import type { Language, Words } from '../../../../shared/translations.ts'
import { InsertVariable } from './InsertVariable.tsx'

interface WordsFieldsProps<Value extends Words | null> {
  label: string
  value: Value
  onChange: (value: Value) => void
  problem?: string
  /** Both left empty: none. */
  isOptional?: boolean
  isLong?: boolean
  /** The longest text on one line. */
  maxLength?: number
  /** Lines of a long text. */
  rows?: number
  /** The variables that a long text can use, with what they stand for. */
  variables?: Readonly<Record<string, string>>
}

const namesInEnglish: Record<Language, string> = { en: 'English', fr: 'French' }

/** A text in both languages, beside each other. */
export function WordsFields<Value extends Words | null>({
  label,
  value,
  onChange,
  problem,
  isOptional,
  isLong,
  maxLength = 500,
  rows = 2,
  variables,
}: WordsFieldsProps<Value>) {
  const fields = { en: useRef<HTMLTextAreaElement>(null), fr: useRef<HTMLTextAreaElement>(null) }
  const words = value ?? { en: '', fr: '' }
  /** A missing text is said of its own language, also if both are missing. */
  function problemIn(language: Language): string | undefined {
    if (problem === undefined || !/missing/.test(problem)) return problem
    return words[language].trim() === '' ? `The ${namesInEnglish[language]} text is missing` : undefined
  }
  function set(language: Language, text: string) {
    const next = { ...words, [language]: text }
    onChange((isOptional && next.en === '' && next.fr === '' ? null : next) as Value)
  }
  return (
    <div className="grid gap-3 md:grid-cols-2">
      {(['en', 'fr'] as const).map((language) => {
        const props = {
          lang: language,
          value: words[language],
          onChange: ({ target }: { target: { value: string } }) => set(language, target.value),
        }
        return (
          <Field
            key={language}
            label={`${label} (${namesInEnglish[language]})`}
            optional={isOptional}
            aside={
              variables && (
                <InsertVariable
                  trigger={
                    <IconButton
                      label={`Insert variable into ${label.toLowerCase()} (${namesInEnglish[language]})`}
                      size="sm"
                      className="-mx-1.5 -my-2 self-center"
                      icon={<Braces />}
                    />
                  }
                  field={fields[language]}
                  value={words[language]}
                  variables={variables}
                  onChange={(text) => set(language, text)}
                />
              )
            }
            error={problemIn(language)}
          >
            {isLong ? (
              <Textarea
                ref={fields[language]}
                rows={rows}
                className={rows === 1 ? 'min-h-11 md:min-h-9 md:py-1.5' : undefined}
                {...props}
              />
            ) : (
              <Input maxLength={maxLength} {...props} />
            )}
          </Field>
        )
      })}
    </div>
  )
}
