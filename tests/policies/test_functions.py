"""Kubernetes' own functions: what they come to is what its documentation says."""

import pytest

from renderer.policies.answers import ask
from renderer.policies.worker import Question
from tests.support.rows import each

pytestmark = pytest.mark.process

TRUE = """
[1, 2, 3].sum() == 6
[1.5, 2.5].sum() == 4.0
[3, 1, 2].min() == 1
[3, 1, 2].max() == 3
['a', 'b', 'c'].isSorted()
!['b', 'a'].isSorted()
[1, 2, 2].indexOf(2) == 1
[1, 2, 2].lastIndexOf(2) == 2
[1].indexOf(5) == -1
'abc'.indexOf('c') == 2
sets.contains([1, 2, 3], [2])
!sets.contains([1], [2])
sets.intersects([1, 2], [2, 3])
sets.equivalent([1, 2], [2, 1, 1])
'abc 123'.find('[0-9]+') == '123'
'abc'.find('[0-9]+') == ''
'1 and 22'.findAll('[0-9]+') == ['1', '22']
'1 and 22'.findAll('[0-9]+', 1) == ['1']
quantity('1Gi').isGreaterThan(quantity('1G'))
quantity('100m').isLessThan(quantity('1'))
quantity('1000m').compareTo(quantity('1')) == 0
quantity('1') == quantity('1000m')
quantity('50k').add(20).isInteger()
quantity('50').add(quantity('20')).asInteger() == 70
quantity('50').sub(20).asInteger() == 30
quantity('1500m').asApproximateFloat() == 1.5
sign(quantity('-1')) == -1
isQuantity('1.5Gi')
!isQuantity('1.5GB')
semver('1.2.3').isLessThan(semver('1.10.0'))
semver('1.0.0-rc.1').isLessThan(semver('1.0.0'))
semver('1.2.3').compareTo(semver('1.2.3')) == 0
semver('1.2.3').major() == 1 && semver('1.2.3').minor() == 2 && semver('1.2.3').patch() == 3
semver('v01.2', true) == semver('1.2.0')
isSemver('1.0.0-alpha+build')
!isSemver('1.0')
!isSemver('1.0.0-01')
ip('127.0.0.1').isLoopback() && ip('127.0.0.1').family() == 4
ip('::1').family() == 6 && ip('::').isUnspecified()
ip('224.0.0.1').isLinkLocalMulticast() && ip('169.254.1.1').isLinkLocalUnicast()
ip('10.0.0.1').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast()
isIP('2001:db8::1') && !isIP('1.2.3') && !isIP('::ffff:1.2.3.4')
ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:DB8::1')
cidr('10.0.0.0/8').containsIP('10.1.2.3')
cidr('10.0.0.0/8').containsIP(ip('10.1.2.3'))
!cidr('10.0.0.0/8').containsIP('11.0.0.1')
cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')
!cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))
cidr('192.168.1.5/24').masked() == cidr('192.168.1.0/24')
cidr('192.168.1.5/24').ip() == ip('192.168.1.5') && cidr('192.168.1.5/24').prefixLength() == 24
isCIDR('::/0') && !isCIDR('10.0.0.0') && !isCIDR('10.0.0.0/033')
url('https://example.com:80/path?k=v').getHost() == 'example.com:80'
url('https://[::1]:80/').getHostname() == '::1'
url('https://example.com:80/').getPort() == '80' && url('https://a/').getPort() == ''
url('https://a/b?k=1&k=2').getQuery()['k'] == ['1', '2']
url('https://a/b%20c').getEscapedPath() == '/b%20c'
url('/a/b').getScheme() == '' && url('https://a').getScheme() == 'https'
isURL('https://a.b/c') && !isURL('../relative') && !isURL('a b') && !isURL('https://a b')
self.?labels.owner.orValue('nobody') == 'nobody'
optional.of(1).hasValue() && !optional.none().hasValue()
'a-b'.split('-') == ['a', 'b'] && ['a', 'b'].join('-') == 'a-b'
'%s has %d'.format(['x', 2]) == 'x has 2'
semver('1.0.0+a') == semver('1.0.0+b')
url('https://h/p a').getEscapedPath() == '/p%20a'
duration('1h') > duration('59m')
timestamp('2024-02-01T00:00:00Z') - duration('24h') == timestamp('2024-01-31T00:00:00Z')
type(self) == map
""".strip().splitlines()
ERRORS = [
    "quantity('x') == quantity('1')",
    "quantity('0.5').asInteger() == 0",
    "[].min() == 1",
    "[].max() == 1",
    "semver('1') == semver('1.0.0')",
    "ip('1.2.3') == ip('1.2.3.4')",
    "cidr('10.0.0.0/33').prefixLength() == 33",
    "url('relative').getHost() == ''",
    "ip('1.2.3.4').getHost() == ''",
    "quantity('1').major() == 1",
]


def answers(expressions):
    return ask([Question(text, ("self",), {"self": {}}) for text in expressions])


@each("text", TRUE, name=str)
def test_functions_come_to_what_they_should(text):
    (answer,) = answers([text])
    assert answer.value is True, answer


@each("text", ERRORS, name=str)
def test_what_has_no_value_is_an_error(text):
    (answer,) = answers([text])
    assert answer.error
