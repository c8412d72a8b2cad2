import { useId, useRef, useState } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import { maxTextLength } from '../../inbox/text-rules.ts'
import { TextSize } from '../../inbox/web/embed/TextSize.tsx'
import { htmlFromText, templateTitle, type TemplateVariable, templateVariables, textVariables, wordsOfKey } from '../rules.ts'
import { type Draft, isFromText, withVariable } from './draft.ts'
import { VariableMenu } from './VariableMenu.tsx'
import { categories, shownCategory, typedCategory } from './labels.ts'

/** The fields that can contain a variable. */
type Text = 'subject' | 'body' | 'html'

interface EditorFieldsProps {
  draft: Draft
  problems: Partial<Record<keyof Draft, string>>
  onChange: (change: Partial<Draft>) => void
}

/** The fields of a template. */
export function EditorFields(props: EditorFieldsProps) {
  return props.draft.channel === 'text' ? <TextFields {...props} /> : <EmailFields {...props} />
}

function TextFields({ draft, problems, onChange }: EditorFieldsProps) {
  const variables = useVariableInsertion(draft, 'text', (_field, body) => onChange({ body }))
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <NameAndCategory draft={draft} problems={problems} onChange={onChange} />
      <Field
        label="Text"
        error={problems.body}
        hint="Leave out procedures and other clinical words: others may see the phone."
        aside={<VariableMenu variables={textVariables} onChoose={variables.insert} />}
      >
        <Textarea
          ref={variables.refTo('body')}
          rows={8}
          value={draft.body}
          maxLength={maxTextLength}
          onChange={({ target }) => onChange({ body: target.value })}
        />
      </Field>
      {draft.body !== '' && <TextSize text={draft.body} className="-mt-2" />}
    </div>
  )
}

function EmailFields({ draft, problems, onChange }: EditorFieldsProps) {
  const [as, setAs] = useState<'text' | 'html'>(draft.html.trim() === '' || isFromText(draft) ? 'text' : 'html')
  // Shows an error in the text even when the HTML tab is open.
  const shown = problems.body ? 'text' : as

  /** HTML that was generated from the text is regenerated with it. */
  const write = (body: string) => onChange({ body, ...(isFromText(draft) && { html: htmlFromText(body) }) })

  const variables = useVariableInsertion(draft, shown, (field, text) => {
    if (field === 'body') write(text)
    else onChange({ [field]: text })
  })

  function showAs(next: 'text' | 'html') {
    setAs(next)
    variables.setTarget(next === 'html' ? 'html' : 'body')
  }

  return (
    <div className="flex min-w-0 flex-col gap-4">
      <NameAndCategory draft={draft} problems={problems} onChange={onChange} />
      <Field label="Subject" error={problems.subject}>
        <Input
          ref={variables.refTo('subject')}
          value={draft.subject}
          maxLength={300}
          onFocus={() => variables.setTarget('subject')}
          onChange={({ target }) => onChange({ subject: target.value })}
        />
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <SegmentedControl
          aria-label="Written as"
          value={shown}
          onValueChange={showAs}
          options={[
            { value: 'text', label: 'Text' },
            { value: 'html', label: 'HTML' },
          ]}
        />
        <VariableMenu variables={templateVariables} onChoose={variables.insert} />
      </div>
      {shown === 'text' ? (
        <Field
          label="Text"
          error={problems.body}
          hint={
            draft.html.trim() === ''
              ? undefined
              : isFromText(draft)
                ? 'The HTML is generated from this text.'
                : 'For email apps that don’t show HTML.'
          }
        >
          <Textarea
            ref={variables.refTo('body')}
            rows={12}
            value={draft.body}
            maxLength={50_000}
            onFocus={() => variables.setTarget('body')}
            onChange={({ target }) => write(target.value)}
          />
        </Field>
      ) : (
        <Field
          label="HTML"
          optional
          hint="If this is empty, the email is made from the text."
          aside={
            draft.html.trim() === '' &&
            draft.body.trim() !== '' && (
              <Button size="sm" variant="quiet" onClick={() => onChange({ html: htmlFromText(draft.body) })}>
                Start from the text
              </Button>
            )
          }
        >
          <Textarea
            ref={variables.refTo('html')}
            rows={12}
            spellCheck={false}
            className="font-mono text-sm"
            value={draft.html}
            maxLength={200_000}
            onFocus={() => variables.setTarget('html')}
            onChange={({ target }) => onChange({ html: target.value })}
          />
        </Field>
      )}
    </div>
  )
}

function NameAndCategory({ draft, problems, onChange }: EditorFieldsProps) {
  const suggestions = useId()
  return (
    <div className="grid gap-x-3 gap-y-4 sm:grid-cols-2">
      <Field
        label="Name"
        error={problems.name}
        hint={templateTitle(draft.name) === draft.name ? undefined : `Shown as “${templateTitle(draft.name)}”.`}
      >
        <Input value={draft.name} maxLength={100} onChange={({ target }) => onChange({ name: target.value })} />
      </Field>
      <Field
        label="Category"
        error={problems.category}
        hint={
          draft.category.trim().toLowerCase() === 'marketing'
            ? 'Commercial: sent only with consent, and says how to unsubscribe.'
            : undefined
        }
      >
        <Input
          value={shownCategory(draft.category)}
          maxLength={40}
          list={suggestions}
          onChange={({ target }) => onChange({ category: typedCategory(target.value) })}
        />
      </Field>
      <datalist id={suggestions}>
        {categories.map((category) => (
          <option key={category} value={wordsOfKey(category)}>
            {wordsOfKey(category)}
          </option>
        ))}
      </datalist>
    </div>
  )
}

/** Inserts a variable into the field that had the focus last. */
function useVariableInsertion(draft: Draft, shown: 'text' | 'html', onInsert: (field: Text, text: string) => void) {
  const fields = useRef<Partial<Record<Text, HTMLInputElement | HTMLTextAreaElement | null>>>({})
  /** Where the caret was last: a variable goes there. */
  const [target, setTarget] = useState<Text>('body')

  function insert(name: TemplateVariable) {
    const wanted = target === 'subject' ? target : shown === 'html' ? 'html' : 'body'
    const field = fields.current[wanted]
    const length = draft[wanted].length
    const { text, caret } = withVariable(draft[wanted], name, field?.selectionStart ?? length, field?.selectionEnd ?? length)
    onInsert(wanted, text)
    // After the menu has returned the focus.
    setTimeout(() => {
      field?.focus()
      field?.setSelectionRange(caret, caret)
    })
  }

  const refTo = (name: Text) => (field: HTMLInputElement | HTMLTextAreaElement | null) => {
    fields.current[name] = field
  }
  return { refTo, setTarget, insert }
}
