import { useNavigate } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ORPCError } from '@orpc/client'
import { client, codeOf, orpc } from '../../../../ui/client/api.ts'
import { cn } from '../../../../ui/cn.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { ConflictNotice } from '../../../../ui/forms/ConflictNotice.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Form } from '../../../../ui/forms/Form.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { useUnsavedGuard } from '../../../../ui/forms/useUnsavedGuard.tsx'
import { useLineOrder } from '../../../../ui/hooks/useLineOrder.ts'
import { noteKindLabels, noteKinds, noteLimits } from '../../rules.ts'
import type { TemplateData } from '../note-data.ts'
import { SectionRow } from './SectionRow.tsx'
import { draftOf, newSection, newTemplate, problemsOf, type SectionDraft, writtenOf } from './template-draft.ts'

/** Edits a template, or adds one (null). Alt and an arrow key move a section. */
export function TemplateForm({ template }: { template: TemplateData | null }) {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const root = useRef<HTMLDivElement>(null)
  const [version, setVersion] = useState(template?.version ?? 0)
  const form = useActionForm({
    initial: () => (template ? draftOf(template) : newTemplate()),
    check: problemsOf,
    send: (draft) =>
      template
        ? client.notes.changeTemplate({ ...writtenOf(draft), id: template.id, version })
        : client.notes.addTemplate(writtenOf(draft)),
    done: ({ name }) => `${name} saved`,
    refusals: { NAME_TAKEN: 'name' },
    onDone(saved) {
      void cache.invalidateQueries({ queryKey: orpc.notes.templates.key() })
      setVersion(saved.version)
      form.reset(draftOf(saved))
      if (!template) guard.leave(() => void navigate({ to: '/settings/$section', params: { section: 'note-templates' } }))
    },
    theirs: (error): TemplateData | null =>
      codeOf(error) === 'CONFLICT' && error instanceof ORPCError ? (error.data as { current: TemplateData }).current : null,
  })
  const guard = useUnsavedGuard(() => form.isDirty && !form.isBusy)
  const { problems, conflict } = form
  const { sections } = form.values
  const change = (next: SectionDraft[]) => form.set({ sections: next })
  const { list, order, lifted, handle, moveByKey, announcement } = useLineOrder(sections, ({ title }) => title, change)
  const focus = (selector: string) => root.current?.querySelector<HTMLElement>(selector)?.focus()

  function add() {
    const section = newSection()
    flushSync(() => change([...sections, section]))
    focus(`[data-reorder="${section.key}"] [data-title]`)
  }
  function remove(key: string) {
    const at = sections.findIndex((section) => section.key === key)
    const next = sections[at + 1] ?? sections[at - 1]
    flushSync(() => change(sections.filter((section) => section.key !== key)))
    focus(next ? `[data-reorder="${next.key}"] [data-removes]` : '[data-adds]')
  }
  function resolveConflict(keep: 'mine' | 'theirs') {
    if (!conflict) return
    setVersion(conflict.version)
    form.rebase(draftOf(conflict), keep === 'mine' ? ['name', 'kind', 'isActive', 'sections'] : [])
  }

  return (
    <Form form={form}>
      <div ref={root} className="flex flex-col gap-4 pt-4">
        {conflict ? (
          <ConflictNotice title="Someone else has changed this template." onResolve={resolveConflict} />
        ) : (
          problems.form && <Alert tone="danger">{problems.form}</Alert>
        )}
        <div className="grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_13rem]">
          <Field label="Name" error={problems.name} hint="Also the title of a new note.">
            <Input maxLength={noteLimits.templateName} autoComplete="off" {...form.text('name')} />
          </Field>
          <Field label="Type">
            <Select {...form.choice('kind')} options={noteKinds.map((kind) => ({ value: kind, label: noteKindLabels[kind] }))} />
          </Field>
        </div>
        <CheckboxLine {...form.tick('isActive')} hint="Existing notes keep their sections.">
          Offer for new notes
        </CheckboxLine>
        <section aria-labelledby="template-sections">
          <h3 id="template-sections" className="text-title font-semibold text-fg">
            Sections
          </h3>
          {problems.sections && (
            <p role="alert" className="pt-1 text-sm text-danger-fg">
              {problems.sections}
            </p>
          )}
          <ul ref={list} aria-label="Sections" className={cn(lifted && 'select-none')}>
            {order.map((key) => {
              const index = sections.findIndex((section) => section.key === key)
              return (
                // oxlint-disable-next-line no-noninteractive-element-interactions -- keys of the fields inside it
                <li
                  key={key}
                  data-reorder={key}
                  onKeyDown={(event) => void moveByKey(event, key)}
                  className={cn('border-b border-line py-3', lifted === key && 'relative z-1 rounded-sm bg-raised shadow-md')}
                >
                  <SectionRow
                    section={sections[index]!}
                    place={index + 1}
                    problem={(field) => problems[`sections.${index}.${field}`]}
                    handle={handle(key)}
                    onChange={(part) => change(sections.map((section) => (section.key === key ? { ...section, ...part } : section)))}
                    onRemove={() => remove(key)}
                  />
                </li>
              )
            })}
          </ul>
          <p role="status" className="sr-only">
            {announcement}
          </p>
          {sections.length < noteLimits.sections && (
            <Button icon={<Plus />} variant="quiet" data-adds onClick={add} className="mt-2">
              Add section
            </Button>
          )}
        </section>
        {/* In sight while the sections scroll. */}
        <div className="sticky -bottom-6 z-1 -mb-6 border-t border-line bg-surface py-3">
          <Button
            type="submit"
            variant="filled"
            size="lg"
            className="max-md:w-full"
            busy={form.isBusy}
            busyLabel="Saving…"
            disabled={conflict !== null}
          >
            Save template
          </Button>
        </div>
      </div>
      {guard.dialog}
    </Form>
  )
}
