import { useConsole } from '#web/console/core/console-context.ts'
import { useDoing, useLoaded } from '#web/console/core/use-loaded.ts'
import { Button } from '#web/console/ui/controls.tsx'
import { Badge, Section, Time } from '#web/console/ui/pieces.tsx'
import { ProblemNote } from '#web/console/ui/problem-note.tsx'
import { Table } from '#web/console/ui/table.tsx'

/** The signed-in person's active sign-ins. */
export function Devices() {
  const { words, calls, membership } = useConsole()
  const found = useLoaded('own', () => calls.own.getSignIns())
  const doing = useDoing()
  const { devices, settings } = words.value
  const end = (signInId: string, isThis: boolean) =>
    doing.run(async () => {
      if (isThis) await membership.signOut()
      else {
        await calls.own.endSignIn({ signInId })
        found.reload()
      }
    })
  return (
    <Section title={settings.tabs.devices}>
      <p class="small">{devices.lead}</p>
      <ProblemNote problem={found.problem ?? doing.problem} onRetry={found.reload} />
      <Table
        caption={devices.caption}
        rows={found.value?.sessions ?? []}
        rowKey={({ signInId }) => signInId}
        isBusy={found.value === undefined}
        columns={[
          {
            name: 'device',
            head: devices.device,
            cell: ({ device, isThis }) => (
              <>
                <bdi>{device}</bdi> {isThis && <Badge tone="good">{devices.this}</Badge>}
              </>
            ),
          },
          { name: 'begun', head: devices.begun, cell: ({ begun }) => <Time at={begun} /> },
          { name: 'seen', head: devices.lastSeen, cell: ({ lastSeen }) => <Time at={lastSeen} /> },
          {
            name: 'do',
            head: devices.end,
            isQuiet: true,
            cell: ({ signInId, isThis }) => (
              <Button kind="quiet" onPress={() => end(signInId, isThis)}>
                {devices.end}
              </Button>
            ),
          },
        ]}
      />
    </Section>
  )
}
