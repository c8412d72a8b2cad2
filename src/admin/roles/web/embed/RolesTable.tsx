import { useQuery } from '@tanstack/react-query'
import { Check, Minus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Client, orpc } from '../../../../ui/client/api.ts'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { usePhone } from '../../../../ui/hooks/useMedia.ts'
import { type Role, roleNames, roles } from '../../../../kernel/access/rules.ts'
import { limitsOf } from '../../limit-rules.ts'

type Part = Awaited<ReturnType<Client['access']['roles']>>[number]

/** What each role can view and do, from the permission matrix that the server enforces. */
export function RolesTable() {
  const matrix = useQuery(orpc.access.roles.queryOptions({ staleTime: Number.POSITIVE_INFINITY }))
  const phone = usePhone()
  return (
    <Section id="roles" title="Roles" className="max-w-240">
      <p className="max-w-[60ch] pt-3 pb-4 text-sm text-fg-2">
        What each role can view and do. The server enforces exactly this list. Mailboxes, reminders, sessions, and private views and reports
        are visible to their owner only. Assign roles under Users.
      </p>
      <Asked query={matrix} failed="Couldn’t load the roles">
        {(parts) => (phone ? <OneRole parts={parts} /> : <AllRoles parts={parts} />)}
      </Asked>
    </Section>
  )
}

/** All roles side by side. A plain HTML table, because its roughly two hundred rows never change. */
function AllRoles({ parts }: { parts: readonly Part[] }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = parts.filter(({ part }) => chosen === null || part === chosen)
  return (
    <>
      <Restrictions />
      <div className="w-56 pb-3">
        <Select
          aria-label="Part of the product"
          value={chosen}
          onValueChange={setChosen}
          options={parts.map(({ part }) => ({ value: part, label: part }))}
          noneLabel="All parts"
        />
      </div>
      <table className="w-full table-fixed text-sm" aria-label="Roles">
        <thead className="sticky -top-6 z-(--z-sticky) bg-subtle">
          <tr className="h-(--row-head) border-b border-line text-xs text-fg-3">
            <th scope="col" className="px-2 text-left font-medium">
              Action
            </th>
            {roles.map((role) => (
              <th key={role} scope="col" className="w-24 px-1 text-left font-medium">
                {roleNames[role]}
              </th>
            ))}
          </tr>
        </thead>
        {shown.map(({ part, actions }) => (
          <tbody key={part}>
            <tr>
              <th scope="rowgroup" colSpan={roles.length + 1} className="px-2 pt-6 pb-1.5 text-left text-sm font-semibold text-fg">
                {part}
              </th>
            </tr>
            {actions.map(({ action, roles: allowed }) => (
              <tr key={action} className="border-t border-line hover:bg-hover">
                <th scope="row" className="px-2 py-2 text-left font-regular text-fg-2">
                  {action}
                </th>
                {roles.map((role) => (
                  <td key={role} className="px-1 py-2">
                    <Mark isAllowed={allowed.includes(role)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </>
  )
}

/** Rows and fields that a role cannot see or change even though the action is allowed. */
function Restrictions() {
  return (
    <section aria-labelledby="restrictions" className="pb-6 text-sm">
      <h3 id="restrictions" className="border-b border-line px-2 pb-1.5 font-semibold text-fg">
        Restrictions
      </h3>
      <dl>
        {roles.map((role) => (
          <div key={role} className="grid grid-cols-[9rem_minmax(0,1fr)] gap-x-4 border-b border-line px-2 py-2.5">
            <dt className="font-medium text-fg">{roleNames[role]}</dt>
            <dd className="text-fg-2">
              <Limits role={role} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Limits({ role }: { role: Role }) {
  const limits = limitsOf(role)
  if (limits.length === 0) return <p>No restrictions.</p>
  return (
    <ul className="flex flex-col gap-1">
      {limits.map((limit) => (
        <li key={limit}>{limit}</li>
      ))}
    </ul>
  )
}

function Mark({ isAllowed }: { isAllowed: boolean }): ReactNode {
  return isAllowed ? (
    <Check role="img" aria-label="Yes" className="text-success-fg" />
  ) : (
    <Minus role="img" aria-label="No" className="text-fg-3" />
  )
}

/** On phones: one role at a time, with only the actions it may perform. */
function OneRole({ parts }: { parts: readonly Part[] }) {
  const [role, setRole] = useState<Role>('front_desk')
  const shown = parts
    .map(({ part, actions }) => ({ part, actions: actions.filter((action) => action.roles.includes(role)) }))
    .filter(({ actions }) => actions.length > 0)
  return (
    <>
      <Select
        aria-label="Role"
        value={role}
        onValueChange={(next) => next && setRole(next)}
        options={roles.map((value) => ({ value, label: roleNames[value] }))}
      />
      <section aria-label="Restrictions" className="pt-4 text-sm text-fg-2">
        <h3 className="pb-1.5 text-sm font-semibold text-fg">Restrictions</h3>
        <Limits role={role} />
      </section>
      {shown.map(({ part, actions }) => (
        <section key={part} aria-label={part}>
          <h3 className="pt-6 pb-1.5 text-sm font-semibold text-fg">{part}</h3>
          <ul>
            {actions.map(({ action }) => (
              <li key={action} className="border-t border-line py-2.5 text-sm text-fg-2">
                {action}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
