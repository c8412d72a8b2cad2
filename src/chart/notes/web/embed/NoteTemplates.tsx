import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, NotebookText, Plus } from 'lucide-react'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { kindBeside, type TemplateData } from '../note-data.ts'
import { TemplateForm } from '../templates/TemplateForm.tsx'

/** /settings/note-templates: the templates of clinical notes, or one of them ('new' for a new one). */
export function NoteTemplates() {
  const { item } = useParams({ strict: false })
  return usePermission()('notes.templates') ? <Shown key={item} item={item} /> : null
}

function Shown({ item }: { item: string | undefined }) {
  const cache = useQueryClient()
  const templates = useQuery(orpc.notes.templates.queryOptions())
  useLive(['vocabulary'], () => void cache.invalidateQueries({ queryKey: orpc.notes.templates.key() }), { debounceMs: 300 })
  if (item === undefined) {
    return (
      <Section id="note-templates" title="Note templates" actions={<NewTemplate />}>
        <Asked query={templates} failed="Couldn’t load the templates">
          {(list) => <TemplateList templates={list} />}
        </Asked>
      </Section>
    )
  }
  return (
    <div className="flex max-w-(--measure) flex-col gap-2">
      <Link
        to="/settings/$section"
        params={{ section: 'note-templates' }}
        className="-ml-1 inline-flex h-11 items-center gap-1 self-start rounded-md pr-2 text-sm text-fg-2 hover:text-fg"
      >
        <ChevronLeft aria-hidden="true" /> All note templates
      </Link>
      <Asked query={templates} failed="Couldn’t load the template">
        {(list) => {
          const template = list.find(({ id }) => id === item) ?? null
          return template || item === 'new' ? (
            <section aria-labelledby="note-template">
              <h2 id="note-template" className="border-b border-line pb-3 text-lg font-semibold wrap-anywhere text-fg">
                {template?.name ?? 'New note template'}
              </h2>
              <TemplateForm template={template} />
            </section>
          ) : (
            <EmptyState title="Template not found">The address is wrong.</EmptyState>
          )
        }}
      </Asked>
    </div>
  )
}

const NewTemplate = () => (
  <Button asChild icon={<Plus />}>
    <Link to="/settings/$section/$item" params={{ section: 'note-templates', item: 'new' }}>
      New template
    </Link>
  </Button>
)

function TemplateList({ templates }: { templates: readonly TemplateData[] }) {
  if (templates.length === 0) {
    return (
      <EmptyState icon={<NotebookText />} title="No note templates yet" actions={<NewTemplate />}>
        A clinical note starts from a template with its sections.
      </EmptyState>
    )
  }
  return (
    <>
      <p className="max-w-[60ch] pt-3 text-sm text-fg-2">A clinical note starts from one of these. A change applies to new notes only.</p>
      <ul aria-label="Note templates" className="-mx-2 pt-2">
        {templates.map(({ id, name, kind, sections, isActive }) => (
          <li key={id}>
            <Link
              to="/settings/$section/$item"
              params={{ section: 'note-templates', item: id }}
              className="group flex min-h-11 items-center gap-3 rounded-sm px-2 py-1.5 outline-offset-[-2px] hover:bg-hover"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate text-md font-medium text-accent-fg group-hover:underline">{name}</span>
                <span className="block truncate text-sm text-fg-3">
                  {[kindBeside({ kind, title: name }), `${sections.length} ${sections.length === 1 ? 'section' : 'sections'}`]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              {!isActive && <Badge>Inactive</Badge>}
              <ChevronRight aria-hidden="true" className="flex-none text-fg-3 group-hover:text-fg" />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
