import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client, orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../../ui/controls/Checkbox.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { EditorHeader } from '../../../templates/web/embed/EditorHeader.tsx'
import { useTemplateEditor } from '../../../templates/web/embed/useTemplateEditor.ts'
import { WordsFields } from '../../../templates/web/embed/WordsFields.tsx'
import {
  checkDefinition,
  type Clause,
  clauseKinds,
  type ConsentDefinition,
  consentUses,
  definitionLimits,
  type DefinitionProblem,
  definitionProblems,
  mergeFields,
  photoScopes,
} from '../../definition-rules.ts'
import type { TemplateData } from '../consent-data.ts'
import { clauseKindLabels, scopeLabels, purposeLabels } from '../labels.ts'
import { ConsentPreview } from './ConsentPreview.tsx'
import { moveClause, newClause, setClause, toggled } from './draft.ts'
import { ActiveDialog, PublishDialog } from './PublishDialog.tsx'
import { type NotSent, sendForAll } from './SurgeryImpact.tsx'

/** The editor of a consent form: its clauses at the left, how a patient reads them at the right. */
export function ConsentEditor({ template }: { template: TemplateData }) {
  const cache = useQueryClient()
  const [showsPreview, setShowsPreview] = useState(true)
  const [asking, setAsking] = useState<'publish' | 'activate' | 'deactivate' | null>(null)
  const [notSent, setNotSent] = useState<NotSent[]>([])
  const editor = useTemplateEditor<ConsentDefinition, TemplateData, DefinitionProblem, { mustResign: boolean }>({
    template,
    noun: 'Consent form',
    check: checkDefinition,
    calls: {
      get: client.consentForms.template,
      saveDraft: client.consentForms.saveDraft,
      publish: client.consentForms.publish,
      setActive: client.consentForms.setActive,
    },
    onSaved(after) {
      cache.setQueryData(orpc.consentForms.template.queryKey({ input: { id: template.id } }), after)
      void cache.invalidateQueries({ queryKey: orpc.consentForms.templates.key() })
    },
  })
  const { definition, setDefinition, problems, saved } = editor
  const set = (part: Partial<ConsentDefinition>) => setDefinition({ ...definition, ...part })
  const problemAt = (at: string | null, field: string) => messageAt(problems, at, field)
  /** The draft is saved first, so that the dialog says what it would change. */
  async function review() {
    if (editor.findProblems().length > 0) return
    if (!editor.isDirty || (await editor.save())) setAsking('publish')
  }
  async function change(work: () => Promise<boolean>, sendTo: Parameters<typeof sendForAll>[1]) {
    setAsking(null)
    setNotSent([])
    if (!(await work()) || sendTo.length === 0) return
    const failed = await sendForAll(template.id, sendTo)
    setNotSent(failed)
    const sent = sendTo.length - failed.length
    if (sent > 0) toast.success(sent === 1 ? 'Sent to 1 patient' : `Sent to ${sent} patients`)
  }
  return (
    <section aria-labelledby="consent-editor">
      {editor.dialog}
      <EditorHeader
        {...editor}
        id="consent-editor"
        title={definition.title.en || 'Untitled consent form'}
        noun="consent form"
        hint="Patients read the published version. What was already signed stays as it was signed."
        isActive={saved.isActive}
        isPublished={saved.published !== null}
        showsPreview={showsPreview}
        onPreview={setShowsPreview}
        onSave={() => void editor.save()}
        onPublish={() => void review()}
        onActive={(isActive) => setAsking(isActive ? 'activate' : 'deactivate')}
        onTakeTheirs={() => void editor.takeTheirs()}
      />
      {asking === 'publish' && (
        <PublishDialog
          id={template.id}
          definition={definition}
          published={saved.published}
          onPublish={(mustResign, sendTo) => void change(() => editor.publish({ mustResign }), sendTo)}
          onClose={() => setAsking(null)}
        />
      )}
      {(asking === 'activate' || asking === 'deactivate') && (
        <ActiveDialog
          id={template.id}
          title={definition.title.en}
          isActivating={asking === 'activate'}
          onConfirm={(sendTo) => void change(() => editor.setActive(asking === 'activate'), sendTo)}
          onClose={() => setAsking(null)}
        />
      )}
      {notSent.length > 0 && (
        <Alert
          tone="warning"
          className="mt-3"
          title={notSent.length === 1 ? 'One patient was not sent it.' : `${notSent.length} patients were not sent it.`}
        >
          <ul>
            {notSent.map(({ id, contactId, patientName, reason }) => (
              <li key={id}>
                <Link to="/contacts/$id" params={{ id: contactId }} search={{ tab: 'surgery' }} className="font-medium underline">
                  {patientName}
                </Link>
                : {reason}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <div className={showsPreview ? 'grid gap-8 pt-4 xl:grid-cols-[minmax(0,1fr)_26rem]' : 'max-w-180 pt-4'}>
        <div className="flex min-w-0 flex-col gap-6">
          <WordsFields
            label="Title"
            value={definition.title}
            onChange={(title) => set({ title })}
            problem={problemAt(null, 'title')}
            maxLength={definitionLimits.title}
          />
          <UseFields definition={definition} set={set} problemAt={problemAt} />
          <WordsFields
            label="Introduction"
            isOptional
            isLong
            rows={3}
            value={definition.intro}
            onChange={(intro) => set({ intro })}
            problem={problemAt(null, 'intro')}
          />
          <p className="text-sm text-fg-3">
            Texts can use{' '}
            {Object.entries(mergeFields).map(([name, meaning], at) => (
              <span key={name} title={meaning}>
                {at > 0 && ', '}
                <code>{`{{${name}}}`}</code>
              </span>
            ))}
            .
          </p>
          {problemAt(null, 'clauses') && <Alert tone="danger">{problemAt(null, 'clauses')}</Alert>}
          <ol aria-label="Clauses" className="flex flex-col gap-6">
            {definition.clauses.map((clause, at) => (
              <ClauseEditor
                key={clause.id}
                clause={clause}
                number={at + 1}
                definition={definition}
                onDefinition={setDefinition}
                problemAt={problemAt}
              />
            ))}
          </ol>
          <Button icon={<Plus />} className="self-start" onClick={() => set({ clauses: [...definition.clauses, newClause(definition)] })}>
            Add clause
          </Button>
        </div>
        {showsPreview && <ConsentPreview definition={definition} />}
      </div>
    </section>
  )
}

const messageAt = (problems: readonly DefinitionProblem[], at: string | null, field: string): string | undefined => {
  const found = problems.find((problem) => problem.at === at && problem.field === field)
  return found && definitionProblems[found.code]
}

type ProblemAt = (at: string | null, field: string) => string | undefined

interface UseFieldsProps {
  definition: ConsentDefinition
  set: (part: Partial<ConsentDefinition>) => void
  problemAt: ProblemAt
}

/** When it is used, and who signs besides the patient. */
function UseFields({ definition, set, problemAt }: UseFieldsProps) {
  const procedures = useQuery(orpc.procedures.list.queryOptions())
  const { use, procedureIds, scopes, needsWitness, needsInterpreter, needsCountersignature } = definition
  return (
    <div className="flex flex-col gap-4">
      <Field label="Used for" hint={use === 'photos' ? 'No surgery requires it.' : 'Each of these surgeries requires it.'}>
        <Select
          value={use}
          onValueChange={(value) => value && set({ use: value })}
          options={consentUses.map((value) => ({ value, label: purposeLabels[value] }))}
        />
      </Field>
      {use === 'procedures' && (
        <fieldset>
          <legend className="pb-2 text-sm font-medium text-fg">Procedures</legend>
          {problemAt(null, 'procedureIds') && (
            <Alert tone="danger" className="mb-2">
              {problemAt(null, 'procedureIds')}
            </Alert>
          )}
          <div className="grid gap-2 sm:grid-cols-2">
            {procedures.data
              ?.filter(({ id, isActive }) => isActive || procedureIds.includes(id))
              .map(({ id, name }) => (
                <CheckboxLine
                  key={id}
                  checked={procedureIds.includes(id)}
                  onCheckedChange={() => set({ procedureIds: toggled(procedureIds, id) })}
                >
                  {name}
                </CheckboxLine>
              ))}
          </div>
        </fieldset>
      )}
      {use === 'photos' && (
        <fieldset>
          <legend className="pb-2 text-sm font-medium text-fg">The patient is asked for each of these uses</legend>
          {problemAt(null, 'scopes') && (
            <Alert tone="danger" className="mb-2">
              {problemAt(null, 'scopes')}
            </Alert>
          )}
          <div className="flex flex-col gap-2">
            {photoScopes.map((scope) => (
              <CheckboxLine
                key={scope}
                checked={scopes.includes(scope)}
                onCheckedChange={() => set({ scopes: photoScopes.filter((one) => toggled(scopes, scope).includes(one)) })}
              >
                {scopeLabels[scope]}
              </CheckboxLine>
            ))}
          </div>
        </fieldset>
      )}
      <div className="flex flex-col gap-2">
        <CheckboxLine checked={needsCountersignature} onCheckedChange={(isNeeded) => set({ needsCountersignature: isNeeded })}>
          A provider countersigns it
        </CheckboxLine>
        <CheckboxLine checked={needsWitness} onCheckedChange={(isNeeded) => set({ needsWitness: isNeeded })}>
          A witness is named
        </CheckboxLine>
        <CheckboxLine
          checked={needsInterpreter}
          onCheckedChange={(isNeeded) => set({ needsInterpreter: isNeeded })}
          hint="Otherwise the patient may name one."
        >
          An interpreter is named
        </CheckboxLine>
      </div>
    </div>
  )
}

interface ClauseEditorProps {
  clause: Clause
  number: number
  definition: ConsentDefinition
  onDefinition: (definition: ConsentDefinition) => void
  problemAt: ProblemAt
}

function ClauseEditor({ clause, number, definition, onDefinition, problemAt }: ClauseEditorProps) {
  const { id, kind, title, text, needsInitials } = clause
  const set = (part: Partial<Clause>) => onDefinition(setClause(definition, id, part))
  const name = title.en || `clause ${number}`
  return (
    <li className="border-t border-line pt-4">
      <div className="flex items-center justify-between gap-2 pb-2">
        <h3 className="text-title font-semibold text-fg">Clause {number}</h3>
        <span className="flex flex-none items-center">
          <IconButton label={`Move ${name} up`} onClick={() => onDefinition(moveClause(definition, id, -1))} icon={<ArrowUp />} />
          <IconButton label={`Move ${name} down`} onClick={() => onDefinition(moveClause(definition, id, 1))} icon={<ArrowDown />} />
          <IconButton
            label={`Remove ${name}`}
            onClick={() => onDefinition({ ...definition, clauses: definition.clauses.filter((one) => one.id !== id) })}
            icon={<Trash2 />}
          />
        </span>
      </div>
      <div className="flex flex-col gap-4">
        <Field label="Kind">
          <Select
            value={kind}
            onValueChange={(value) => value && set({ kind: value })}
            options={clauseKinds.map((value) => ({ value, label: clauseKindLabels[value] }))}
          />
        </Field>
        <WordsFields
          label="Clause title"
          value={title}
          onChange={(words) => set({ title: words })}
          problem={problemAt(id, 'title')}
          maxLength={definitionLimits.title}
        />
        <WordsFields label="Text" isLong rows={5} value={text} onChange={(words) => set({ text: words })} problem={problemAt(id, 'text')} />
        <CheckboxLine checked={needsInitials} onCheckedChange={(isNeeded) => set({ needsInitials: isNeeded })}>
          The patient initials it
        </CheckboxLine>
      </div>
    </li>
  )
}
