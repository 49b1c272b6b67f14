import { expect } from 'chai'
import { classOf } from '../../../../agents/network/address-class.ts'
import { createGuard } from '../../../../agents/network/guard.ts'
import { parseTarget } from '../../../../core/network-target.ts'

describe('network targets', () => {
  for (const text of [
    '10.1.2.3',
    '10.1.2.3:8080',
    '10.0.0.0/8',
    '10.0.0.0/8:443',
    '::1',
    'fd00::/8',
    '[fd00::1]:8080',
    '[fd00::/8]:8080',
    'intranet',
    'Wiki.Example.com:80',
    '*.example.com',
  ]) {
    it(`takes ${text}`, () => expect(parseTarget(text)).not.to.equal(undefined))
  }

  for (const text of [
    '',
    'http://example.com',
    'example.com/path',
    '10.1',
    '0x7f.0.0.1',
    '2130706433',
    '10.0.0.0/33',
    'example.com:0',
    'example.com:65536',
    'a..b',
    '*',
    'fe80::1%eth0',
    '[::1',
    'user@host',
  ]) {
    it(`refuses "${text}"`, () => expect(parseTarget(text)).to.equal(undefined))
  }

  it('reads a long entry that is none in time that grows with its length', () => {
    expect(parseTarget(`${'a.'.repeat(100_000)}!`)).to.equal(undefined)
    expect(parseTarget(`${'a-'.repeat(127)}!`)).to.equal(undefined)
  })
})

describe('classes of addresses', () => {
  const classes: Record<string, string[]> = {
    public: ['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111'],
    internal: ['127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '::1', 'fd12::1'],
    special: [
      '0.0.0.0',
      '169.254.169.254',
      '100.100.100.200',
      '168.63.129.16',
      '192.0.0.192',
      '192.0.2.1',
      '198.18.0.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '::',
      '::7f00:1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::ffff:0:127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::7f00:1',
      '2002:7f00:1::',
      '2001::1',
      '2001:db8::1',
      '100::1',
      'fe80::1',
      'fec0::1',
      'ff02::1',
      'fd00:ec2::254',
      '4000::1',
      'no address',
    ],
  }
  for (const [name, addresses] of Object.entries(classes)) {
    for (const address of addresses) it(`${address} is ${name}`, () => expect(classOf(address)).to.equal(name))
  }
})

describe('the guard', () => {
  const refusal = (work: () => void): string | undefined => {
    try {
      work()
      return undefined
    } catch (error) {
      expect(error).to.include({ code: 'network_refused' })
      return (error as Error).message
    }
  }

  it('opens a private address by its address, on the port that is named', () => {
    const guard = createGuard({ private: ['10.1.2.3:8080'] }, ['10.9.0.0/16'])
    expect(refusal(() => guard.checkAddress('10.1.2.3', '10.1.2.3', 8080))).to.equal(undefined)
    expect(refusal(() => guard.checkAddress('10.1.2.3', '10.1.2.3', 22))).to.contain('10.1.2.3 is not a public address')
    expect(refusal(() => guard.checkAddress('db.example', '10.9.3.4', 5432))).to.equal(undefined)
    expect(refusal(() => guard.checkAddress('db.example', '::ffff:10.9.3.4', 5432))).to.contain('db.example leads to')
  })

  it('opens a private address by the name that leads to it, but never the metadata of a cloud', () => {
    const guard = createGuard({ private: ['*.corp.example', 'wiki:80'] }, [])
    expect(refusal(() => guard.checkAddress('a.b.corp.example', '10.0.0.1', 443))).to.equal(undefined)
    expect(refusal(() => guard.checkAddress('WIKI.', 'fd00::1', 80))).to.equal(undefined)
    expect(refusal(() => guard.checkAddress('corp.example', '10.0.0.1', 443))).to.be.a('string')
    expect(refusal(() => guard.checkAddress('wiki', '169.254.169.254', 80))).to.be.a('string')
  })

  it('keeps an agent to the hosts of its allow list, and to the private ones it names', () => {
    const guard = createGuard({ allow: ['*.example.com', 'api.test:8443'], private: ['10.0.0.1:80'] }, ['10.0.0.2'])
    for (const url of ['https://a.example.com/', 'https://api.test:8443/', 'http://10.0.0.1/']) {
      expect(
        refusal(() => guard.checkUrl(new URL(url))),
        url,
      ).to.equal(undefined)
    }
    for (const url of [
      'https://example.com/',
      'https://api.test/',
      'http://10.0.0.2/',
      'https://example.com.evil.test/',
    ]) {
      expect(
        refusal(() => guard.checkUrl(new URL(url))),
        url,
      ).to.contain('network.allow')
    }
  })

  it('refuses other protocols, and credentials in a URL', () => {
    const guard = createGuard({}, [])
    for (const url of ['file:///etc/passwd', 'ftp://a/', 'data:,x', 'blob:https://a/b']) {
      expect(
        refusal(() => guard.checkUrl(new URL(url))),
        url,
      ).to.contain('only http: and https:')
    }
    expect(refusal(() => guard.checkUrl(new URL('https://user:secret@a.test/'))))
      .to.contain('user name')
      .and.not.contain('secret')
  })
})
