import '../ui/theme.css'
import {
  Users,
  Plus,
  Ellipsis,
  Upload,
  FileText,
  Phone,
  Mail,
  Receipt,
  Search,
  GitCommitHorizontal,
  Rows3,
  SquareKanban,
  Tag as TagIcon,
  User,
  CalendarClock,
  Pencil,
} from 'lucide-react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Alert } from '../ui/Alert.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { Badge } from '../ui/Badge.tsx'
import { BulkAction, BulkBar } from '../ui/BulkBar.tsx'
import { Button } from '../ui/Button.tsx'
import { Checkbox, CheckboxLine } from '../ui/Checkbox.tsx'
import { Combobox } from '../ui/Combobox.tsx'
import { CountBadge } from '../ui/CountBadge.tsx'
import { DateInput } from '../ui/DateInput.tsx'
import { Dialog, DialogBody, DialogFooter } from '../ui/Dialog.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '../ui/DropdownMenu.tsx'
import { EmptyState, ErrorState, NoPermission } from '../ui/EmptyState.tsx'
import { Fact, Facts, PanelSection } from '../ui/Facts.tsx'
import { Field } from '../ui/Field.tsx'
import { FilterChip } from '../ui/FilterChip.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Input } from '../ui/Input.tsx'
import { Keys } from '../ui/Kbd.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { PasswordInput } from '../ui/PasswordInput.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { SearchInput } from '../ui/SearchInput.tsx'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { Select } from '../ui/Select.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { StageLabel } from '../ui/StageRing.tsx'
import { StageStepper } from '../ui/StageStepper.tsx'
import { Switch } from '../ui/Switch.tsx'
import { None, Table, TableHead, TableRow, Td, Th } from '../ui/Table.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { Tag } from '../ui/Tag.tsx'
import { Textarea } from '../ui/Textarea.tsx'
import { TimelineAttachment, TimelineDay, TimelineItem, TimelineText } from '../ui/Timeline.tsx'
import { toast } from '../ui/toast.ts'
import { ToastHost } from '../ui/ToastHost.tsx'
import { TooltipProvider } from '../ui/Tooltip.tsx'

const Card = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div className="min-w-0 rounded-lg border border-line bg-surface p-5">
    <p className="pb-3 text-xs text-fg-3">{title}</p>
    {children}
  </div>
)
const names = ['Lead', 'Contacted', 'Consult Booked', 'Consult Done', 'Quote Sent', 'Surgery Booked']
function App() {
  const [tab, setTab] = useState('open')
  const [seg, setSeg] = useState('list')
  const [check, setCheck] = useState(true)
  const [sel, setSel] = useState<string | null>('a')
  const [combo, setCombo] = useState<string | null>(null)
  const [dlg, setDlg] = useState(false)
  const [q, setQ] = useState('')
  const [sw, setSw] = useState(true)
  const [rad, setRad] = useState('a')
  const [d, setD] = useState('2026-11-20')
  const [t, setT] = useState('Hello')
  return (
    <TooltipProvider delayDuration={300}>
      <div className="grid grid-cols-1 gap-5 p-8 max-md:p-4 md:grid-cols-3">
        <Card title="Buttons">
          <div className="flex flex-wrap gap-2">
            <Button variant="filled" icon={<Plus />}>
              New patient
            </Button>
            <Button>Create Task</Button>
            <Button variant="quiet">Export</Button>
            <Button variant="danger">Delete patient</Button>
            <Button variant="filled" icon={<Plus />} busy busyLabel="Creating...">
              Create
            </Button>
            <Button disabled>Merge</Button>
            <Button id="focusme">Cancel</Button>
            <Button size="sm">Small</Button>
            <IconButton label="More" variant="outlined" size="sm" icon={<Ellipsis />} />
            <Button size="lg" variant="filled" disabled>
              Verify
            </Button>
            <Button size="lg" variant="filled" onClick={() => setDlg(true)}>
              Open dialog
            </Button>
            <Button variant="quiet" icon={<Upload />}>
              Import
            </Button>
          </div>
        </Card>
        <Card title="Stages">
          <div className="flex flex-wrap gap-4 text-fg">
            {names.map((n, i) => (
              <StageLabel key={n} name={n} position={i + 1} count={6} kind={i === 5 ? 'won' : 'open'} age={i ? undefined : '3 d'} />
            ))}
            <StageLabel name="Cold Lead" position={7} count={6} kind="lost" />
          </div>
          <div className="flex gap-2 pt-4">
            <Avatar kind="patient" firstName="Éloïse" lastName="Tremblay" />
            <Avatar kind="staff" id="a" firstName="Mireille" lastName="Daoust" />
            <Avatar kind="staff" id="b" firstName="Devon" lastName="Ash" />
            <Avatar kind="staff" id="c" firstName="Devon" lastName="Ash" />
            <Avatar kind="staff" id="d" firstName="Devon" lastName="Ash" size="xs" />
            <Avatar kind="patient" firstName="Łukasz" lastName="K" size="xl" />
            <Avatar kind="staff" email="x@y.z" size="lg" />
          </div>
        </Card>
        <Card title="Badges">
          <div className="flex flex-wrap gap-2">
            <Badge>Tentative</Badge>
            <Badge tone="info">Confirmed</Badge>
            <Badge tone="success">Ready</Badge>
            <Badge tone="warning">1 to review</Badge>
            <Badge tone="danger">3 overdue</Badge>
            <Badge tone="accent">New</Badge>
            <CountBadge count={7} label="x" />
            <CountBadge count={31} label="x" />
            <Tag>Welcome</Tag>
            <Tag onRemove={() => {}}>Revision</Tag>
            <Keys keys="mod+k" />
            <Keys keys="g d" />
          </div>
        </Card>
        <Card title="Fields">
          <div className="flex flex-col gap-4">
            <Field label="First name">
              <Input defaultValue="Marie-Ève" />
            </Field>
            <Field label="Phone" optional hint="Ten digits. Add an extension after an x.">
              <Input id="phonef" defaultValue="(905) 555-01" />
            </Field>
            <Field label="Email" error="Please enter a valid email address">
              <Input defaultValue="marie.eve@videotron" />
            </Field>
            <Field label="Password">
              <PasswordInput defaultValue="secret123" />
            </Field>
            <Field label="Unit price">
              <Input leading="$" defaultValue="8,200.00" className="tabular-nums" />
            </Field>
            <Field label="Deposit to">
              <Select
                value={sel}
                onValueChange={setSel}
                options={[
                  { value: 'a', label: 'Moneris clearing' },
                  { value: 'b', label: 'Visa' },
                ]}
                noneLabel="None"
              />
            </Field>
            <Field label="Patient (Optional)">
              <Combobox
                value={combo}
                onValueChange={setCombo}
                clearable
                options={[
                  { value: '1', label: 'Éloïse Tremblay', detail: 'eloise@fastmail.ca' },
                  { value: '2', label: 'Łukasz Kowalczyk' },
                ]}
              />
            </Field>
            <Field label="Due date">
              <DateInput value={d} onValueChange={setD} />
            </Field>
            <Field label="Notes">
              <Textarea value={t} onChange={(e) => setT(e.target.value)} maxLength={20} />
            </Field>
            <CheckboxLine checked={check} onCheckedChange={setCheck}>
              May be contacted
            </CheckboxLine>
            <Checkbox checked="indeterminate" onCheckedChange={() => {}} aria-label="x" />
            <Switch checked={sw} onCheckedChange={setSw} hint="Off inside fields.">
              Letter keys
            </Switch>
            <RadioGroup
              value={rad}
              onValueChange={setRad}
              aria-label="r"
              options={[
                { value: 'a', label: 'One' },
                { value: 'b', label: 'Two' },
              ]}
            />
            <SegmentedControl
              aria-label="View"
              value={seg}
              onValueChange={setSeg}
              options={[
                { value: 'list', label: 'List', icon: <Rows3 /> },
                { value: 'board', label: 'Board', icon: <SquareKanban /> },
              ]}
            />
            <SearchInput value={q} onValueChange={setQ} label="Search" placeholder="Name, email or phone" keyHint="/" />
            <div className="flex flex-wrap gap-2">
              <FilterChip field="Stage" value="is not Cold Lead" onRemove={() => {}} onEdit={() => {}} />
              <FilterChip field="Owner" value="Me, Devon, nobody" onRemove={() => {}} />
            </div>
          </div>
        </Card>
        <Card title="Toasts, menu">
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => toast.success('Saved')}>ok</Button>
            <Button onClick={() => toast.error('Failed to save task. Please try again.', undefined, () => {})}>err</Button>
            <Button id="undo" onClick={() => toast.undoable('Moved 20 patients to Consult Booked', () => {})}>
              undo
            </Button>
            <DropdownMenu trigger={<Button id="menu">Menu</Button>}>
              <MenuItem icon={<Pencil />} keys="e">
                Edit patient
              </MenuItem>
              <MenuItem>Merge into another</MenuItem>
              <MenuSeparator />
              <MenuItem danger>Delete patient</MenuItem>
            </DropdownMenu>
          </div>
          <div className="pt-4">
            <Alert tone="warning" title="Specialist consult required." action={<Button size="sm">Mark results received</Button>}>
              Otolaryngology, deviated septum. Results not received.
            </Alert>
          </div>
          <PanelSection title="Contact">
            <Facts>
              <Fact label="Mobile">(905) 555-0142</Fact>
              <Fact label="Email">eloise.tremblay@fastmail.ca</Fact>
              <Fact label="Fax">
                <None />
              </Fact>
            </Facts>
          </PanelSection>
        </Card>
        <Card title="Loading">
          <SkeletonRows rows={5} rowClassName="px-0 md:px-0" />
        </Card>
        <Card title="Empty">
          <EmptyState
            icon={<Users />}
            title="No patients yet"
            actions={
              <>
                <Button variant="filled">New patient</Button>
                <Button>Connect a form</Button>
              </>
            }
          >
            Leads from your web form appear here within a second. You can also add the first one by hand.
          </EmptyState>
        </Card>
        <Card title="Empty, filtered">
          <EmptyState icon={<Search />} title="No patient matches “tremblai”" actions={<Button>Clear filters</Button>}>
            2 filters are on: Stage, Owner.
          </EmptyState>
        </Card>
        <Card title="Error">
          <ErrorState title="Patients did not load" onRetry={() => {}} className="py-4">
            The connection was lost. What you typed is kept.
          </ErrorState>
          <NoPermission title="Billing sees no clinical notes" className="py-4">
            Ask an administrator if you need them: Mireille Daoust.
          </NoPermission>
        </Card>
      </div>
      <div className="mx-8 rounded-lg border border-line bg-surface max-md:mx-0">
        <div className="px-6 pt-5">
          <StageStepper
            currentId="2"
            onSelect={() => {}}
            steps={names.map((name, i) => ({ id: String(i), name, note: ['2 h', '64 d', '3 d, since Nov 17'][i] }))}
          />
        </div>
        <Tabs
          aria-label="Views"
          value={tab}
          onValueChange={setTab}
          items={[
            { value: 'all', label: 'All', count: '2,514' },
            { value: 'open', label: 'Open leads', count: 312 },
            { value: 'new', label: 'New today', count: 7 },
            { value: 'f', label: 'Follow-up due', count: 18 },
            { value: 'docs', label: 'Documents', badge: <Badge tone="warning">1 to review</Badge> },
          ]}
        />
        <div className="relative h-96 overflow-auto max-md:hidden">
          <Table className="table-fixed">
            <TableHead>
              <Th className="w-14">
                <Checkbox checked="indeterminate" onCheckedChange={() => {}} aria-label="All" />
              </Th>
              <Th className="w-56">Patient</Th>
              <Th>Stage</Th>
              <Th>Phone</Th>
              <Th>Next follow-up</Th>
              <Th numeric>Last contact</Th>
            </TableHead>
            <tbody>
              {['Éloïse Tremblay', 'Łukasz Kowalczyk', 'Anaïs Bélanger-Roy', 'Olumide Adébáyọ̀', 'Nguyễn Thị Hồng', 'José Luis'].map(
                (n, i) => (
                  <TableRow key={n} current={i === 1} selected={i === 3}>
                    <Td>
                      <Checkbox checked={i === 3} onCheckedChange={() => {}} aria-label={n} />
                    </Td>
                    <Td>
                      <div className="flex items-center gap-2.5">
                        <Avatar kind="patient" firstName={n} lastName={n.split(' ')[1]} />
                        <div className="min-w-0 leading-4">
                          <div className="truncate font-medium text-fg">{n}</div>
                          <div className="truncate text-xs text-fg-3">a@fastmail.ca</div>
                        </div>
                      </div>
                    </Td>
                    <Td className="text-fg">
                      <StageLabel name={names[i] ?? ''} position={i + 1} count={6} kind={i === 5 ? 'won' : 'open'} age="3 d" />
                    </Td>
                    <Td className="tabular-nums">(905) 555-0142</Td>
                    <Td>{i === 2 ? <span className="text-danger-fg">Nov 18</span> : <None />}</Td>
                    <Td numeric>{i === 1 ? <Badge tone="accent">New</Badge> : '2 h'}</Td>
                  </TableRow>
                ),
              )}
            </tbody>
          </Table>
          <BulkBar count={3} onClear={() => {}}>
            <BulkAction>
              <GitCommitHorizontal />
              Stage
            </BulkAction>
            <BulkAction>
              <TagIcon />
              Tag
            </BulkAction>
            <BulkAction>
              <User />
              Assign
            </BulkAction>
            <BulkAction>
              <CalendarClock />
              Follow-up
            </BulkAction>
          </BulkBar>
        </div>
        <Pagination page={1} pageSize={50} total={312} onPageChange={() => {}} />
      </div>
      <div className="mx-8 max-w-3xl p-6 max-md:mx-0 max-md:p-4">
        <TimelineDay heading="Today">
          <TimelineItem
            icon={<FileText />}
            tone="warning"
            summary={
              <>
                <strong>Éloïse</strong> uploaded a document in the portal
              </>
            }
            time="11:52 a.m."
          >
            <TimelineAttachment icon={<FileText />} action={<Button size="sm">Review</Button>}>
              <b className="font-medium text-fg">Consultation ORL, Dre Lavoie.pdf</b> <span className="text-fg-3">1.2 MB</span>
            </TimelineAttachment>
          </TimelineItem>
          <TimelineItem
            icon={<Phone />}
            tone="info"
            summary={
              <>
                <strong>Mireille Daoust</strong> reached Éloïse by phone, 6 min
              </>
            }
            time="9:18 a.m."
          >
            <TimelineText>
              Confirmed consult with Dr. Okafor. Breathing is worse on the left since a fall in 2019. Will bring her ENT letter. Prefers
              texts after 5 p.m.
            </TimelineText>
          </TimelineItem>
        </TimelineDay>
        <TimelineDay heading="Tuesday, Nov 17">
          <TimelineItem
            icon={<GitCommitHorizontal />}
            tone="accent"
            summary={
              <>
                <strong>Mireille Daoust</strong> moved the stage to <strong>Consult Booked</strong> after 64 days
              </>
            }
            time="3:41 p.m."
          />
          <TimelineItem
            icon={<Mail />}
            tone="rose"
            summary={
              <>
                <strong>Éloïse</strong> replied to “Your consultation at Harbourview”
              </>
            }
            time="3:07 p.m."
          >
            <TimelineText quoted>Thursday the 26th works. Do I need to stop taking anything before the visit?</TimelineText>
          </TimelineItem>
          <TimelineItem
            icon={<Receipt />}
            tone="success"
            summary={
              <>
                Sales receipt <strong>1047</strong>, consultation fee
              </>
            }
            time="2:55 p.m."
          />
        </TimelineDay>
      </div>
      <Dialog open={dlg} onOpenChange={setDlg} title="Create New Task" description="For a patient or for the clinic" hideDescription>
        <DialogBody>
          <Field label="Title">
            <Input />
          </Field>
        </DialogBody>
        <DialogFooter>
          <Button size="lg" onClick={() => setDlg(false)}>
            Cancel
          </Button>
          <Button size="lg" variant="filled">
            Create Task
          </Button>
        </DialogFooter>
      </Dialog>
      <ToastHost />
    </TooltipProvider>
  )
}
createRoot(document.getElementById('root')!).render(<App />)
