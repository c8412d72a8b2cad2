import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, FileText } from 'lucide-react'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { Popover } from '../../../../ui/overlays/Popover.tsx'
import { SearchInput } from '../../../../ui/controls/SearchInput.tsx'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { isCommercialCategory } from '../../../../crm/consent/rules.ts'
import { appointmentTemplates, templateLanguage, templateNames, templateTitle } from '../../../email-templates/rules.ts'

type Rendered = {
  templateId: string
  subject: string
  text: string
  missing: string[]
  /** Marketing: the email becomes marketing with it. */
  isOffer: boolean
}

interface TemplatePickerProps {
  /** Whose values are put in. */
  contactId: string
  onInsert: (rendered: Rendered) => void
}

/** Chooses a template, previewed with this patient's values before it is inserted. */
export function TemplatePicker({ contactId, onInsert }: TemplatePickerProps) {
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  return (
    <Popover
      label="Templates"
      side="top"
      control={{
        open,
        onOpenChange: (next) => {
          setOpen(next)
          setChosen(null)
        },
      }}
      trigger={<IconButton label="Template" icon={<FileText />} />}
      className="w-96"
    >
      {chosen === null ? (
        <Choice onChoose={setChosen} />
      ) : (
        <Preview
          id={chosen}
          contactId={contactId}
          onBack={() => setChosen(null)}
          onInsert={(rendered) => {
            setOpen(false)
            setChosen(null)
            onInsert(rendered)
          }}
        />
      )}
    </Popover>
  )
}

/** Excludes templates sent with an appointment: a reply has no appointment date, link or calendar file. */
const ofAppointments = new Set(Object.values(appointmentTemplates).flatMap((name) => templateNames(name, 'fr')))

function Choice({ onChoose }: { onChoose: (id: string) => void }) {
  const [term, setTerm] = useState('')
  const templates = useQuery(orpc.emailTemplates.list.queryOptions({ input: { channel: 'email' } }))
  const wanted = term.trim().toLocaleLowerCase('en-CA')
  const found = (templates.data ?? []).filter(
    ({ name, subject, category }) =>
      !ofAppointments.has(name.toLowerCase()) &&
      `${name} ${templateTitle(name)} ${subject} ${category}`.toLocaleLowerCase('en-CA').includes(wanted),
  )
  if (templates.error && !templates.data) {
    return (
      <ErrorState
        title="Failed to list templates"
        onRetry={() => void templates.refetch()}
        retrying={templates.isFetching}
        className="py-4"
      >
        {messageOf(templates.error)}
      </ErrorState>
    )
  }
  return (
    <div className="flex flex-col gap-2">
      <SearchInput label="Find a template" value={term} onValueChange={setTerm} />
      {templates.data ? (
        <ul aria-label="Templates" className="max-h-72 overflow-y-auto">
          {found.map(({ id, name, subject }) => (
            <li key={id}>
              <button
                type="button"
                onClick={() => onChoose(id)}
                className="w-full rounded-sm px-2 py-1.5 text-left outline-offset-[-2px] hover:bg-hover"
              >
                <span className="block truncate font-medium text-fg">{templateTitle(name)}</span>
                <span className="block truncate text-xs text-fg-3">{subject}</span>
              </button>
            </li>
          ))}
          {found.length === 0 && <li className="px-2 py-3 text-fg-3">{wanted ? 'No matching templates' : 'No templates yet'}</li>}
        </ul>
      ) : (
        <div role="status" aria-label="Loading" className="flex h-24 flex-col gap-3 p-2">
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/2" />
        </div>
      )}
    </div>
  )
}

interface PreviewProps extends TemplatePickerProps {
  id: string
  onBack: () => void
}

function Preview({ id, contactId, onBack, onInsert }: PreviewProps) {
  const preview = useQuery({
    queryKey: [...orpc.emailTemplates.preview.key(), id, contactId],
    staleTime: 0,
    async queryFn({ signal }) {
      const { name, subject, body, variables, category } = await client.emailTemplates.get({ id }, { signal })
      const language = templateLanguage(name)
      const rendered = await client.emailTemplates.preview({ subject, body, variables, language, contactId }, { signal })
      return { ...rendered, isOffer: isCommercialCategory(category) }
    },
  })
  const missing = preview.data ? [...preview.data.missing.unknown, ...preview.data.missing.empty] : []
  return (
    <div className="flex flex-col gap-3">
      <div>
        <Button size="sm" variant="quiet" icon={<ArrowLeft />} onClick={onBack}>
          All templates
        </Button>
      </div>
      {preview.data ? (
        <>
          <div className="max-h-64 overflow-y-auto px-1">
            <p className="pb-1 font-semibold text-fg">{preview.data.subject}</p>
            <p className="break-words whitespace-pre-wrap text-fg-2">{preview.data.text}</p>
          </div>
          {missing.length > 0 && (
            <p role="status" className="px-1 text-warning-fg">
              No value for {new Intl.ListFormat('en-CA').format(missing)}.
            </p>
          )}
          <div className="flex justify-end">
            <Button
              onClick={() => {
                const { subject, text, isOffer } = preview.data
                onInsert({ templateId: id, subject, text, missing, isOffer })
              }}
            >
              Insert
            </Button>
          </div>
        </>
      ) : preview.error ? (
        <ErrorState
          title="Couldn’t load the template"
          onRetry={() => void preview.refetch()}
          retrying={preview.isFetching}
          className="py-4"
        >
          {messageOf(preview.error)}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading" className="flex h-24 flex-col gap-3 p-1">
          <Skeleton className="w-1/2" />
          <Skeleton />
          <Skeleton className="w-2/3" />
        </div>
      )}
    </div>
  )
}
